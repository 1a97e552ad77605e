/// The end of an order at which some values come, whichever way the other values are sorted.
///
///     SortTerm(path: ["due"], nils: .last)                        // tasks without a date after all others
///     SortTerm(path: ["due"], .descending, nils: .last)    // the same, the latest date first
public enum EndPlacement: String, Hashable, Sendable, CaseIterable {
  /// Before all other values.
  case first
  /// After all other values.
  case last

  /// Returns whether the values come at the other end than the direction of an order has them.
  ///
  /// Values that are less than all others are the first of an ascending order and the last of a descending one.
  package func isMove(ofLeastIn isDescending: Bool) -> Bool { (self == .last) != isDescending }
}
