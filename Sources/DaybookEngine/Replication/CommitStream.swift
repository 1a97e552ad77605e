import DaybookModel

/// A replicated sequence of messages, through which finished commits go before the local journal has them.
///
/// The store reads and publishes; servers order the messages and keep them. All calls block their thread, and may be made
/// on any thread. Nothing above this seam depends on the kind of the servers.
package protocol CommitStream: AnyObject, Sendable {
  /// The number of connections made so far; a change means that the servers may have restarted. 0 before the first
  /// connection.
  var connectionCount: Int { get }

  /// Creates the stream, unless it exists.
  ///
  /// - Parameter serverCount: The number of servers that keep each message.
  func create(serverCount: Int, waiting limit: Duration) throws

  /// Returns the state of the stream, after checking that it keeps all messages.
  ///
  /// - Throws: ``StreamUnavailable``; `StoreError` with the code `badRequest` for settings that could lose messages.
  func state(waiting limit: Duration) throws -> StreamState

  /// Publishes a message, if the stream ends with another one.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - sequence: The message that must be the last one; 0 for a stream without messages.
  ///   - limit: How long to wait for the answer.
  func publish(_ bytes: [UInt8], after sequence: UInt64, waiting limit: Duration) -> PublishOutcome

  /// Returns consecutive messages, for which all requests are on their way at once.
  ///
  /// - Parameters:
  ///   - first: The number of the first one.
  ///   - count: The most messages. There are fewer if the stream has fewer, or if only some came in time.
  ///   - limit: How long each of the messages is awaited after the one before it.
  /// - Throws: ``StreamUnavailable`` if nothing came in time.
  func messages(from first: UInt64, count: Int, waiting limit: Duration) throws -> StreamMessages

  /// Sends the report of this node to the other nodes; may get lost.
  func report(_ report: NodeReport)

  /// Asks the other nodes for their reports; may get lost.
  func askForReports()

  /// Waits for something from another node.
  func waitForSignal(atMost limit: Duration) -> StreamSignal

  /// The last report of each node from which one arrived.
  var reports: [NodeReport] { get }

  /// Ends the connection; later calls fail.
  func close()
}

extension CommitStream {
  /// Returns the message with a number, or `nil` if the stream does not have it.
  ///
  /// - Throws: ``StreamUnavailable``.
  package func message(at sequence: UInt64, waiting limit: Duration) throws -> [UInt8]? {
    try messages(from: sequence, count: 1, waiting: limit).bytes.first
  }
}

/// Consecutive messages of a stream.
package struct StreamMessages: Hashable, Sendable {
  package var bytes: [[UInt8]]
  /// Whether the stream has no message after them.
  package var endStream: Bool

  package init(_ bytes: [[UInt8]] = [], endStream: Bool = false) {
    (self.bytes, self.endStream) = (bytes, endStream)
  }
}

/// What a stream is like.
package struct StreamState: Hashable, Sendable {
  /// When the stream was created, in nanoseconds since 1970.
  package var created: Int64
  /// The last message; 0 for none.
  package var lastSequence: UInt64
  /// The largest message that servers take, in bytes, headers included.
  package var maximumMessageSizeInBytes: Int
  /// The number of servers that keep each message.
  package var serverCount: Int
  /// The server that orders the messages, if there are several.
  package var leader: String?
  /// The server that answers this process.
  package var server: String?

  package init(
    created: Int64, lastSequence: UInt64, maximumMessageSizeInBytes: Int, serverCount: Int = 1, leader: String? = nil,
    server: String? = nil
  ) {
    (self.created, self.lastSequence) = (created, lastSequence)
    self.maximumMessageSizeInBytes = maximumMessageSizeInBytes
    (self.serverCount, self.leader, self.server) = (serverCount, leader, server)
  }
}

/// The answer to a publication.
package enum PublishOutcome: Hashable, Sendable {
  /// A quorum of the servers has the message, under this number.
  case acknowledged(UInt64)
  /// The stream does not end with the expected message.
  case refused
  /// The message certainly did not reach a server.
  case unsent(String)
  /// There was no answer; the message may be in the stream, or may still get there.
  case unknown(String)
}

/// What another node made known.
package enum StreamSignal: Hashable, Sendable {
  case nothing, report, question
}

/// The error of a stream that does not answer.
package struct StreamUnavailable: Error {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

/// How far a node has come.
package struct NodeReport: Hashable, Sendable {
  package let node: ObjectID
  /// The last commit that the node has on its own disk.
  package let position: Position
  /// The hash of that commit.
  package let hash: Digest
  /// The message of the stream up to which the node has folded that commit, or `nil` if the journal has commits that the node
  /// has not found in the stream. Earlier versions do not report it.
  package let sequence: UInt64?

  package init(node: ObjectID, position: Position, hash: Digest, sequence: UInt64? = nil) {
    (self.node, self.position, self.hash, self.sequence) = (node, position, hash, sequence)
  }

  /// - Throws: `MalformedBytes`. What a later version adds is ignored.
  package init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.rawSpan)
    node = ObjectID(high: try reader.fixed(UInt64.self), low: try reader.fixed(UInt64.self))
    position = Position(try reader.fixed(UInt64.self))
    hash = try Digest(reading: &reader)
    sequence = reader.isAtEnd ? nil : try reader.fixed(UInt64.self)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(node)
    bytes.appendFixed(position.number)
    bytes.append(hash)
    if let sequence { bytes.appendFixed(sequence) }
    return bytes
  }
}
