extension FilterParser {
  /// A test of related objects, whose quantifier and path are read: `ANY tags WHERE (name == "x" AND rank > 2)`.
  mutating func relatedObjects(
    _ quantifier: Filter.Quantifier?, of operand: Filter.Operand
  ) throws(QueryError) -> Filter {
    guard let quantifier else {
      throw lexer.error("WHERE follows ANY, ALL or NONE and a path, or is inside of COUNT(…)", at: token.start)
    }
    let path = try path(operand)
    try advance()
    guard token.isSymbol(.openParenthesis) else {
      throw unexpected("a parenthesis around the condition behind WHERE")
    }
    let objects = Filter.RelatedObjects(at: path, where: try group())
    return Filter(.related(quantifier, objects), depth: objects.depth)
  }

  /// A number of related objects: `COUNT(ingredients WHERE amount > 2)`.
  mutating func count() throws(QueryError) -> Filter.Operand {
    let place = Place(utf8Offset: token.start)
    try advance()
    let objects = try parenthesized { parser throws(QueryError) in
      try parser.advance()
      let path = try parser.path(parser.operand())
      guard parser.token.word == "where" else {
        throw parser.unexpected("WHERE (all of them are \(path.shown).@count)")
      }
      try parser.advance()
      return Filter.RelatedObjects(at: path, where: try parser.disjunction())
    }
    return Filter.Operand(.count(objects), place: place)
  }

  private func path(_ operand: Filter.Operand) throws(QueryError) -> Filter.KeyPath {
    guard case .path(let path) = operand.form else {
      throw lexer.error("a path to related objects is expected before WHERE", at: operand.place.utf8Offset)
    }
    return path
  }
}

private extension Filter.KeyPath {
  var shown: String { String(words.joined(separator: ".").prefix(80)) }
}
