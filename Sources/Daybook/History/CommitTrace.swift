import DaybookModel

/// What led to a commit, and what came of it: the commits that are linked to it by their causation.
///
///     for entry in try store.trace(of: 7).entries {
///       print(String(repeating: "  ", count: entry.depth), entry.position, entry.message ?? "")
///     }
///
/// The entries are a tree, from top to bottom: the first is the commit at the beginning of the chain of causes, each
/// further cause is one level deeper, then follows the traced commit, and below it all commits that name it as their
/// cause, and what came of these. Other consequences of the causes are left out.
public struct CommitTrace: Hashable, Sendable {
  /// A commit of the tree.
  public struct Entry: Hashable, Sendable {
    /// The position of the commit.
    public let position: Position
    /// The number of causes above it in the tree.
    public let depth: Int
    /// The commit that is named as the cause, or `nil` if none is.
    public let cause: CommitReference?
    /// The writer's own name for the commit.
    public let commitID: ObjectID?
    /// The author.
    public let author: String?
    /// The message.
    public let message: String?
    /// The name that all commits of one flow share.
    public let correlation: String?
    /// The time when the commit was recorded.
    public let recordedAt: Timestamp
    /// The time when the commit happened according to the writer, if it is not the recorded time.
    public let happenedAt: Timestamp?
    /// The number of events.
    public let eventCount: Int

    init(_ header: CommitHeader, depth: Int) {
      position = header.position
      self.depth = depth
      cause = header.reasons.causation
      commitID = header.commitID
      author = header.author
      message = header.message
      correlation = header.reasons.correlation
      recordedAt = header.recordedAt
      happenedAt = header.happenedAt
      eventCount = header.eventCount
    }
  }

  /// The traced commit.
  public let position: Position
  /// The commits, each directly below its cause or below the consequences of an earlier sibling.
  public let entries: [Entry]
  /// Whether there are more consequences than the limit.
  public let isCutShort: Bool
}
