/// How a store with a replicated journal writes and follows.
///
/// Stores without one ignore these options.
public struct ReplicationOptions: Sendable {
  /// What must have a commit before a write returns.
  public enum Acknowledgement: Hashable, Sendable {
    /// A quorum of the servers, in memory at least, and this node on its disk.
    case servers
    /// In addition so many nodes, this one included, on disks of their own.
    ///
    /// If they do not confirm it within the time limit, the write throws ``StoreError/Code/unknownOutcome``, though
    /// this node has the commit.
    case replicas(Int)
  }

  /// What must have a commit before a write returns.
  public var acknowledgement = Acknowledgement.servers
  /// Whether this process takes the commits of other nodes while no other process of the node does.
  ///
  /// Without it, the store takes them when it writes.
  public var follows = true
  /// How long a write waits for the servers before it throws ``StoreError/Code/unavailable``, for each message.
  public var timeLimit = Duration.seconds(5)
  /// How often a write runs when other nodes are faster, before it throws ``StoreError/Code/conflict``.
  public var maximumAttempts = 16
  /// How long an unfinished payload of another node keeps this one from publishing, counted from its last part.
  package var incompletePayloadTimeout = Duration.seconds(2)

  /// Makes the default options.
  public init() {}
}
