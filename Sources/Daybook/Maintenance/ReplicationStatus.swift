import DaybookEngine
import DaybookModel
import DaybookRuntime

/// How far a node and its stream have come.
public struct ReplicationStatus: Hashable, Sendable {
  /// The servers and the name of the stream.
  public let address: JournalAddress
  /// This node.
  public let node: Node
  /// The number of messages that this node has skipped, as every node does.
  public let skippedMessageCount: Int
  /// Where the journal of this node and the stream differ, or `nil` if no difference is known.
  public let fork: Fork?
  /// The state of the stream that the servers report, or `nil` if they do not answer.
  public let stream: Stream?
  /// The other nodes whose reports arrived, by identity.
  public let others: [Node]
  /// The messages of the stream that this node has folded.
  package let foldedSequence: UInt64
  /// The last commit in those messages.
  package let foldedPosition: Position

  /// A difference between a node and its stream.
  public struct Fork: Hashable, Sendable {
    /// The first position at which they differ.
    public let position: Position
    /// The hash of the node's own commit.
    public let ownHash: Digest
    /// The hash of the stream's commit.
    public let streamHash: Digest
  }

  /// The servers' side.
  public struct Stream: Hashable, Sendable {
    /// The server that answers this process.
    public let server: String?
    /// The server that orders the messages, if there are several.
    public let leader: String?
    /// The number of servers that keep each message.
    public let serverCount: Int
    /// The number of messages that this node has not folded.
    public let lag: Int
    /// Whether the servers lack what this node has read of the stream, or have something else in its place.
    ///
    /// The next write, or the process that follows, compares all commits then, and publishes what the stream has lost or
    /// finds a fork.
    public let differs: Bool
    /// The last message.
    package let lastSequence: UInt64
  }

  /// A node, and how far it has come.
  public struct Node: Hashable, Sendable {
    /// The identity of the node.
    public let id: ObjectID
    /// The last commit that it has on its disk.
    public let head: Position
    /// The hash of that commit.
    public let hash: Digest
  }
}
