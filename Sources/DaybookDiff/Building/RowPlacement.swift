/// A changed row without its id: its paths in both results, and its alteration.
struct RowPlacement {
  /// Its path in the old result, or `nil` if it is not there.
  var from: RowPath?
  /// Its path in the new result, or `nil` if it is not there.
  var to: RowPath?
  var alteration: Alteration
}
