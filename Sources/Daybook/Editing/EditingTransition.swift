import DaybookEngine
import DaybookModel

/// A change of a context's shown state: its inverse and the changes that it makes.
struct EditingTransition {
  /// The changes that lead from the state after the transition back to the state before.
  let inverse: Layer
  var changes: [CausedChange]
  /// Whether `inverse` is complete; if not, results that show the state before get a reset.
  var isComplete = true
}

/// A change of one object, by a pending edit or by a commit that the context was moved over.
struct CausedChange: Hashable {
  let change: ObjectChange
  /// The position of the commit; `nil` for a pending edit.
  let cause: Position?
}

extension Collection<EditingTransition> {
  /// All changes without duplicates, sorted by the position of their commits.
  var changes: [CausedChange] {
    Set(flatMap(\.changes)).sorted { ($0.cause ?? .empty) < ($1.cause ?? .empty) }
  }
}

/// A weak reference to open results.
struct EditingFollower {
  weak var results: EditingResults?
}
