/// The direction of a sort value.
public enum SortDirection: Sendable, Hashable {
  /// The least value comes first.
  case ascending
  /// The greatest value comes first.
  case descending
}
