import DaybookModel

/// A commit that undid or redid others.
public struct UndoOutcome: Hashable, Sendable {
  /// The position of the new commit; the head if nothing was left to undo of commits that were named.
  public let position: Position
  /// The commits that were undone or redone.
  public let targets: ClosedRange<Position>
  /// What a forced undo left out, a sentence for each change; empty unless it was forced.
  public let omissions: [String]
}
