import DaybookModel

/// A place among the targets of an ordered relationship.
public enum Place: Hashable, Sendable {
  /// At the end for a new link; at its present place for an existing one.
  case unspecified
  /// After all other targets.
  case last
  /// Directly before another target.
  case before(ObjectID)
  /// Directly after another target.
  case after(ObjectID)
}
