import Daybook

extension Position {
  /// The number, as JSON.
  var json: JSONValue { .integer(Int64(clamping: number)) }
}
