import DaybookModel

/// The journal that a stream holds: a fold over its messages, in the order of their numbers.
///
///     var fold = StreamFold(at: place, of: store, hash: hash, recordedAt: time)
///     switch try fold.fold(message, knownPosition: journal.position(ofCommitID:)) {
///     case .taken(let commits): append(commits)
///     case .part, .skipped: break
///     }
///
/// Servers order the messages, and refuse most of those that should not be there; yet a message may be in the stream that
/// does not follow from the ones before it. So the rules are applied again by each node, to each message, and depend on
/// nothing but the messages before it: a commit is taken only if it is whole, has the next position and the hash of the
/// commit before it, is not recorded before that one, and has an id that is new. Everything else is skipped by all nodes
/// alike. A payload is taken as a whole or not at all.
///
/// The value knows no journal and no server, so each rule can be tested with plain bytes.
package struct StreamFold: Sendable {
  /// What became of a message.
  package enum Step: Sendable {
    /// The commits of a payload that is complete with this message.
    case taken([PendingCommit])
    /// A part of a payload that is not complete.
    case part
    case skipped(Reason)
  }

  /// Why a message is skipped.
  package enum Reason: String, Hashable, Sendable {
    /// It is not a message of this program, or damaged.
    case malformed
    /// It is a part without the parts before it.
    case stray
    /// It names the store again.
    case repeatedIdentity
    /// The position is not the next one.
    case position
    /// It follows another commit.
    case previousHash
    /// It was recorded before the commit that it follows.
    case time
    /// A commit has its commit id already.
    case commitID

    /// Whether the message may follow from other messages than those that were folded: the servers may have lost some of
    /// those, and have others in their place.
    package var contradictsPlace: Bool {
      switch self {
      case .stray, .position, .previousHash: true
      case .malformed, .repeatedIdentity, .time, .commitID: false
      }
    }
  }

  /// The payload of which parts were read, and not the last one.
  private struct Attempt {
    let id: ObjectID
    let count: Int
    var receivedCount: Int
    var bytes: [UInt8]
  }

  /// The end of the messages whose commits are known: before the first part of a payload that is not complete.
  package private(set) var place: StreamPlace
  /// The last message that was folded, which may be a part.
  package private(set) var tip: UInt64
  private let store: ObjectID
  private var hash: Digest
  private var recordedAt: Timestamp
  private var attempt: Attempt?
  /// The commit ids of the messages that were folded here, which the journal may not have yet.
  private var ids: Set<ObjectID> = []

  /// - Parameters:
  ///   - place: The last message that was folded.
  ///   - store: The store that the stream must belong to.
  ///   - hash: The hash of the commit at the place.
  ///   - recordedAt: The time of that commit.
  package init(at place: StreamPlace, of store: ObjectID, hash: Digest, recordedAt: Timestamp) {
    self.place = place
    tip = place.sequence
    self.store = store
    (self.hash, self.recordedAt) = (hash, recordedAt)
  }

  /// Whether parts of a payload were read that is not complete.
  package var isInPayload: Bool { attempt != nil }
  /// The attempt of that payload, or `nil` without such a payload.
  package var openAttempt: ObjectID? { attempt?.id }
  /// The number of its parts that were folded.
  package var openPartCount: Int { attempt?.receivedCount ?? 0 }

  /// Forgets the commit ids of the messages that were folded here; the journal has them now.
  package mutating func forgetIDs() { ids.removeAll() }

  /// Folds the next message.
  ///
  /// - Parameter knownPosition: Returns the position of the commit with an id in the journal of the node, which may have
  ///   more commits than the messages so far.
  /// - Throws: `StoreError` with the code `conflict` if the stream belongs to another store; any error of
  ///   `knownPosition`.
  package mutating func fold(
    _ message: StreamMessage, knownPosition: (ObjectID) throws -> Position?
  ) throws -> Step {
    precondition(message.sequence > tip, "Messages are folded in order.")
    tip = message.sequence
    switch try? StreamContent(message.bytes) {
    case .identity(let store, let payload)?:
      guard place.position == .empty else { return skip(message, .repeatedIdentity) }
      guard store == self.store else {
        throw StoreError(
          .conflict, "The stream belongs to the store \(store), and this node is of the store \(self.store).",
          advice: "Join the stream with another path, or make another stream.")
      }
      abandon()
      return try take(payload, endingWith: message, knownPosition)
    case .part(let part)?: return try fold(part, of: message, knownPosition)
    case nil: return skip(message, .malformed)
    }
  }

  private mutating func fold(
    _ part: StreamPart, of message: StreamMessage, _ knownPosition: (ObjectID) throws -> Position?
  ) throws -> Step {
    if let attempt, attempt.id != part.attempt || attempt.receivedCount != part.index || attempt.count != part.count {
      // The publisher gave up, or another one was faster.
      abandon()
    }
    guard part.index == (attempt?.receivedCount ?? 0) else { return skip(message, .stray) }
    var joined = attempt ?? Attempt(id: part.attempt, count: part.count, receivedCount: 0, bytes: [])
    // Only one owner of the bytes, so that they are not copied with each part.
    attempt?.bytes = []
    joined.bytes += part.bytes
    guard joined.bytes.count <= StreamPayload.maximumSizeInBytes else { return skip(message, .malformed) }
    guard joined.receivedCount + 1 == joined.count else {
      joined.receivedCount += 1
      attempt = joined
      return .part
    }
    let step = try take(joined.bytes, endingWith: message, knownPosition)
    attempt = nil
    return step
  }

  /// Skips the parts of a payload that is not complete.
  private mutating func abandon() {
    if let attempt { place.skippedCount &+= UInt64(attempt.receivedCount) }
    attempt = nil
  }

  private mutating func skip(_ message: StreamMessage, _ reason: Reason) -> Step {
    abandon()
    place.skippedCount &+= 1
    settle(message)
    return .skipped(reason)
  }

  private mutating func settle(_ message: StreamMessage) {
    place.sequence = message.sequence
    place.digest = Digest(hashing: message.bytes.rawSpan)
  }

  /// Takes the commits of a payload, if all of them follow.
  private mutating func take(
    _ payload: [UInt8], endingWith message: StreamMessage, _ knownPosition: (ObjectID) throws -> Position?
  ) throws -> Step {
    guard let commits = try? StreamPayload.commits(in: payload), let last = commits.last else {
      return skip(message, .malformed)
    }
    if let reason = try fault(of: commits, knownPosition) { return skip(message, reason) }
    (hash, recordedAt) = (last.hash, last.header.recordedAt)
    ids.formUnion(commits.compactMap(\.header.commitID))
    place.position = last.header.position
    settle(message)
    return .taken(commits)
  }

  /// Returns why commits do not follow, or `nil` if they do.
  private func fault(
    of commits: [PendingCommit], _ knownPosition: (ObjectID) throws -> Position?
  ) throws -> Reason? {
    var (position, hash, time) = (place.position, hash, recordedAt)
    var new: Set<ObjectID> = []
    for commit in commits {
      let header = commit.header
      guard header.position == position.next else { return .position }
      guard header.previousHash == hash else { return .previousHash }
      guard header.recordedAt >= time else { return .time }
      if let id = header.commitID {
        guard new.insert(id).inserted, !ids.contains(id) else { return .commitID }
        // A node that reads the stream again may have commits that the stream has not, or has later.
        if let known = try knownPosition(id), known <= place.position { return .commitID }
      }
      (position, hash, time) = (header.position, commit.hash, header.recordedAt)
    }
    return nil
  }
}
