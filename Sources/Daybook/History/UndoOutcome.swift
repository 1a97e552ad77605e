import DaybookModel

/// A commit that undid or redid another one.
public struct UndoOutcome: Hashable, Sendable {
  /// The position of the new commit.
  public let position: Position
  /// The commit that was undone or redone.
  public let target: Position
  /// What a forced undo left out, a sentence for each change; empty unless it was forced.
  public let omissions: [String]
}
