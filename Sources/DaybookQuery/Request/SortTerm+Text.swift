import DaybookModel

extension SortTerm {
  /// Reads the form of the command line: `name`, `type.name:desc`, `servings:asc`, `due:nils-last`, `due:desc:nils-first`,
  /// `name:natural`, `name:locale:sv:desc`, and for places in an ordered relationship `recipe:in:` with the identity of the
  /// parent.
  ///
  /// The direction and the placement of nil are the last words, in either order.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  public init(parsing text: String) throws(QueryError) {
    let words = try TermText(text, as: .sort)
    self.init(path: words.path, words.direction, order: words.order, nils: words.nils, parent: words.parent)
  }
}

extension SortTerm: CustomStringConvertible {
  /// The form of the command line.
  public var description: String {
    TermText(path: path, direction, nils: nils, order: order, parent: parent).text
  }
}
