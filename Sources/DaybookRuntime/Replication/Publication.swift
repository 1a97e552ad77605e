import DaybookEngine
import DaybookModel

/// The messages of one payload, from the first attempt to publish them to the end.
final class Publication {
  let messages: [[UInt8]]
  /// The place of the node that made the commits.
  let place: StreamPlace
  /// The message after which the first one is published.
  private(set) var start: UInt64
  /// The place of a node that has folded the messages.
  private(set) var end: StreamPlace
  /// The commit id of the last commit, for messages.
  let commitID: ObjectID?

  /// - Parameters:
  ///   - commits: The commits of the payload; at least one.
  ///   - place: The place of the node that made them.
  ///   - start: The last message of the stream.
  ///   - partCount: The parts after the place, which every node skips when it reads the payload.
  ///   - attempt: The number that the parts of this publication share.
  ///   - messageSizeInBytes: The largest message that the servers take.
  init(
    _ commits: [PendingCommit], at place: StreamPlace, after start: UInt64, skipping partCount: Int = 0,
    attempt: ObjectID = .random(), messageSizeInBytes: Int
  ) throws {
    let parts = StreamPart.parts(
      of: try StreamPayload.bytes(of: commits), attempt: attempt, messageSizeInBytes: messageSizeInBytes)
    messages = parts.map { StreamContent.part($0).bytes }
    self.start = start
    self.place = place
    var end = place
    end.skippedCount &+= UInt64(partCount)
    end.sequence = start + UInt64(messages.count)
    let last = messages[messages.count - 1]
    end.digest = Digest(hashing: last.rawSpan)
    end.position = commits[commits.count - 1].header.position
    self.end = end
    commitID = commits[commits.count - 1].header.commitID
  }

  /// Publishes the messages behind the parts of an announcement that were added to the stream since the publication was
  /// prepared, which every node skips.
  func move(behind end: NodeState.End) {
    // Behind another place there may be commits, which the publication does not follow: the servers must refuse it.
    guard end.place == place, end.tip > start else { return }
    let partCount = end.tip - start
    start += partCount
    self.end.sequence += partCount
    self.end.skippedCount &+= partCount
  }

  /// Returns the messages that hold commits which the stream has lost.
  ///
  /// - Parameters:
  ///   - commits: The commits; if they begin with the first one, only that.
  ///   - store: The store, which the first message names.
  ///   - position: The last commit that the stream has.
  /// - Throws: `StoreError` with the code `tooLarge` if the first commit does not fit a message.
  static func messages(
    refilling commits: [PendingCommit], of store: ObjectID, after position: Position, messageSizeInBytes: Int
  ) throws -> [[UInt8]] {
    guard position == .empty else {
      return try Publication(
        commits, at: StreamPlace(created: 0), after: 0, messageSizeInBytes: messageSizeInBytes
      ).messages
    }
    let message = StreamContent.identity(store, payload: try StreamPayload.bytes(of: commits)).bytes
    guard message.count + StreamPart.overheadInBytes <= messageSizeInBytes else {
      throw StoreError(
        .tooLarge, "The first model of the store has more bytes than a message of the stream may have.",
        advice: "Raise max_payload of the servers.")
    }
    return [message]
  }
}

/// The error of a write whose commits were refused, because the stream does not end where the node does.
struct PublicationRefused: Error {
  /// A message that the node lacks; 0 if it is unknown.
  let sequence: UInt64
  /// The number of messages that the payload needs; 0 if it is unknown.
  var messageCount = 0
}
