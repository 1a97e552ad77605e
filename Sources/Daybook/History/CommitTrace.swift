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
  @dynamicMemberLookup
  public struct Entry: Hashable, Sendable {
    /// The position, the times, the author, the message and the reasons of the commit, without its events.
    public let summary: CommitSummary
    /// The number of causes above it in the tree.
    public let depth: Int

    /// A property of the commit's ``summary``.
    @inlinable
    public subscript<Member>(dynamicMember member: KeyPath<CommitSummary, Member>) -> Member {
      summary[keyPath: member]
    }
  }

  /// The traced commit.
  public let position: Position
  /// The commits, each directly below its cause or below the consequences of an earlier sibling.
  public let entries: [Entry]
  /// Whether there are more consequences than the limit.
  public let isCutShort: Bool
}
