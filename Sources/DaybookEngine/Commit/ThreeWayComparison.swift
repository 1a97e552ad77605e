/// The one rule of conflict: how a wanted change of one fact meets the changes that others made.
///
///     switch ThreeWayComparison(base: "Cake", present: "Pie", wanted: "Tart") {
///     case .conflict: ...   // neither side began with what the other one has
///     }
///
/// Reverts, undo, redo and editing contexts compare each fact (the existence of an object, an attribute, a target, a
/// link, a place) in three states: the *base*, from which the change starts; the *present* state; and the *wanted* one.
/// For an undo the base is what the undone commits left, and the state before them is wanted. For a context the base is
/// the state at its position, and the wanted state has its edits. Only the states count: neither who changed a fact nor
/// how often it changed, so changes that cancel out do not count.
///
/// What follows from an outcome is decided above this rule: an undo is refused as a whole or forced, a context has a
/// policy for each conflict.
package enum ThreeWayComparison: Hashable {
  /// Nothing is wanted, so the present state stays.
  case unchanged
  /// The present state is the wanted one already.
  case reached
  /// The present state is the base: the wanted state is written.
  case apply
  /// The present state is neither the base nor the wanted one.
  case conflict

  /// Compares the states of a fact.
  package init<State: Equatable>(base: State, present: State, wanted: State) {
    self.init(isUnchanged: base == wanted, isReached: present == wanted, isUntouched: base == present)
  }

  /// Compares states that are only known in pairs, as places in an order are.
  ///
  /// - Parameters:
  ///   - isUnchanged: Whether the wanted state is the base.
  ///   - isReached: Whether the present state is the wanted one.
  ///   - isUntouched: Whether the present state is the base.
  /// - Throws: The errors of the arguments, of which only those are evaluated that the outcome depends on.
  package init(
    isUnchanged: @autoclosure () throws -> Bool, isReached: @autoclosure () throws -> Bool,
    isUntouched: @autoclosure () throws -> Bool
  ) rethrows {
    if try isUnchanged() {
      self = .unchanged
    } else if try isReached() {
      self = .reached
    } else {
      self = try isUntouched() ? .apply : .conflict
    }
  }

  /// Whether the wanted state is still to be written.
  package var isWrite: Bool { self == .apply || self == .conflict }

  /// Returns whether a deletion of an object would lose a value or a link that the deleter has not seen.
  ///
  /// A link that the object has lost since is nothing that the deletion could lose.
  ///
  /// - Parameters:
  ///   - base: What the object had in the base; `nil` for a link that it did not have.
  ///   - present: What it has now; `nil` for a link that it does not have.
  package static func isLost<State: Equatable>(base: State?, present: State?) -> Bool {
    present != nil && present != base
  }
}
