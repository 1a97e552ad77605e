import DaybookModel

extension FilterParser {
  /// Reads the present time with its distance, such as `now + 2d`, or returns `nil` if the token is another one.
  ///
  /// Whether `now` alone is the present time or a field, only the model knows.
  mutating func presentTime(at place: Place) throws(QueryError) -> Filter.Operand? {
    guard case .path(let path) = token.kind, path.isPresentTime else { return nil }
    let distance = try lexer.distance()
    try advance()
    guard path.words == [Filter.KeyPath.builtInPresent] || distance != 0 else {
      return Filter.Operand(.path(path), place: place)
    }
    let time = RelativeTime(microseconds: distance)
    return Filter.Operand(.time(time, word: path.words[0]), place: place)
  }
}
