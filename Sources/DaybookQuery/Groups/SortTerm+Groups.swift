import DaybookModel

extension SortTerm {
  /// Reads an order of groups: the name of a value or a key, and then `:asc`, `:desc`, `:nils-first` or `:nils-last`, in
  /// any order.
  ///
  /// The words are taken from the right: `sum:servings:desc` is the value `sum:servings`, descending.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  package init(parsingGroups text: String) throws(QueryError) {
    var name = Substring(text)
    var words = TermText()
    while !name.hasSuffix("`"), let colon = name.lastIndex(of: ":"),
      words.take(name[name.index(after: colon)...], as: .sort)
    {
      name = name[..<colon]
    }
    var reader = GroupTextReader(text, through: name.endIndex)
    let read = try reader.columnName()
    guard reader.isAtEnd else { throw reader.error("“:asc”, “:desc”, “:nils-first” or “:nils-last” is expected here") }
    self.init(path: [read], words.direction, nils: words.nils)
  }
}
