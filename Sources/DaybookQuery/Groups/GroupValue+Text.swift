import DaybookModel

extension GroupValue {
  /// Reads a list of values: `count, sum:servings, total = sum:type.weight`.
  ///
  /// A name before `=` may have any characters between backquotes, in which a backquote is written twice.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  static func list(parsing text: String) throws(QueryError) -> [GroupValue] {
    var reader = GroupTextReader(text)
    var values = [try reader.value()]
    while reader.take(",") { values.append(try reader.value()) }
    guard reader.isAtEnd else { throw reader.error("a comma is expected between values") }
    return values
  }
}
