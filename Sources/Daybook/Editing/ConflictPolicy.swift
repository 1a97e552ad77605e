import DaybookEngine
import DaybookModel

/// How saving and rebasing decide conflicts: all of them, or a single one.
public enum ConflictPolicy: Sendable {
  /// Nothing is saved, and the error lists the conflicts.
  case refuse
  /// The committed values stay: the conflicting edits are left out, and so are deletes that would delete an object with
  /// such a value.
  case theirs
  /// The edits overwrite the committed values. An object that another commit deleted is inserted again as it was when
  /// it was deleted, with the links whose other end still exists.
  case mine
  /// Sets another value in a conflict about an attribute; for all others same as ``mine``.
  case value(Value)
  /// The closure decides each conflict separately. If it returns ``refuse`` for one, nothing is saved.
  case decide(@Sendable (EditingConflict) throws -> ConflictPolicy)

  /// Returns the decision about one conflict, which is not ``decide(_:)``.
  func decision(about conflict: EditingConflict) throws -> ConflictPolicy {
    guard case .decide(let decide) = self else { return self }
    return try decide(conflict).decision(about: conflict)
  }

  /// Whether it is ``theirs``.
  package var isTheirs: Bool { if case .theirs = self { true } else { false } }
}
