/// A changed row without its id: where it was, where it is, and what is different about it.
struct RowPlacement {
  /// Its path in the old result; nil if it was not there.
  var from: RowPath?
  /// Its path in the new result; nil if it is not there.
  var to: RowPath?
  var alteration: Alteration
}
