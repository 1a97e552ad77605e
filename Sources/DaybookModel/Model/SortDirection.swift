/// The direction of an order.
public enum SortDirection: Sendable, Hashable {
  /// The least value comes first.
  case ascending
  /// The greatest value comes first.
  case descending

  package init(isDescending: Bool) { self = isDescending ? .descending : .ascending }
}
