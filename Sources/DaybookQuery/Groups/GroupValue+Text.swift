import DaybookModel

extension GroupValue {
  /// Reads texts with lists of values, such as `count, sum:servings, total = sum:type.weight`; without any it is the number
  /// of objects.
  ///
  /// A name before `=` may have any characters between backquotes, in which a backquote is written twice.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  package static func list(parsing texts: [String]) throws(QueryError) -> [GroupValue] {
    var values: [GroupValue] = []
    for text in texts { values += try list(parsing: text) }
    return values.isEmpty ? [.count] : values
  }

  private static func list(parsing text: String) throws(QueryError) -> [GroupValue] {
    var reader = GroupTextReader(text)
    var values = [try reader.value()]
    while reader.take(",") { values.append(try reader.value()) }
    guard reader.isAtEnd else { throw reader.error("a comma is expected between values") }
    return values
  }
}
