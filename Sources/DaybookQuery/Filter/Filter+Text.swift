import DaybookModel

extension Filter: CustomStringConvertible {
  /// The canonical text, which parses to an equal filter.
  ///
  /// It has upper-case words, one blank between them, and only the parentheses that are needed.
  public var description: String {
    var text = ""
    node.write(to: &text)
    return text
  }
}

extension Filter.Node {
  func write(to text: inout String) {
    switch self {
    case .constant(let isMet): text += isMet ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let inner):
      text += "NOT "
      inner.writeGrouped(inside: self, to: &text)
    case .all(let parts): write(parts, joinedBy: " AND ", to: &text)
    case .any(let parts): write(parts, joinedBy: " OR ", to: &text)
    case .comparison(let comparison): comparison.write(to: &text)
    case .related(let quantifier, let objects):
      text += quantifier.rawValue + " "
      objects.path.write(to: &text)
      text += " WHERE ("
      objects.condition.write(to: &text)
      text += ")"
    }
  }

  private func write(_ parts: [Filter.Node], joinedBy word: String, to text: inout String) {
    for (index, part) in parts.enumerated() {
      if index > 0 { text += word }
      part.writeGrouped(inside: self, to: &text)
    }
  }

  private func writeGrouped(inside outer: Filter.Node, to text: inout String) {
    let needsParentheses =
      switch (outer, self) {
      case (.not, .all), (.not, .any), (.all, .any): true
      default: false
      }
    if needsParentheses { text += "(" }
    write(to: &text)
    if needsParentheses { text += ")" }
  }
}

extension Filter {
  /// Reads a filter from text.
  ///
  ///     let filter = try Filter(parsing: "createdAt BETWEEN {2026-01-01, 2026-02-01} AND note != nil")
  ///
  /// Several key paths may share a test, of which one must pass. A name behind `$` is a variable, so that what a user
  /// typed need not be quoted:
  ///
  ///     let search = try Filter(parsing: "name, overview CONTAINS[cd] $text", variables: ["text": "crème"])
  ///
  /// - Parameters:
  ///   - text: At most 65,536 bytes, nesting at most 200 deep, with at most 32 key paths in a test. A request takes
  ///     conditions on related objects that nest at most 8 deep.
  ///   - variables: The values that variables in the text stand for, by their names without `$`; others are ignored.
  ///     An identity or bytes are compared through their text forms, as in a filter's text.
  ///   - lists: The lists that variables behind `IN` and `BETWEEN` stand for. A name in both stands for its list.
  /// - Throws: A ``QueryError`` that points at the wrong character, or at a variable without a value.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(
    parsing text: String, variables: [String: Value] = [:], lists: [String: [Value]] = [:]
  ) throws(QueryError) {
    let operands = variables.mapValues(Operand.value).merging(lists.mapValues(Operand.values)) { $1 }
    try self.init(parsing: text, operands: operands)
  }

  /// Reads a condition on groups, in which `sum:servings` is a name, and so is any text between backquotes.
  ///
  /// - Throws: As ``init(parsing:variables:lists:)``.
  package init(parsingHaving text: String, operands: [String: Operand] = [:]) throws(QueryError) {
    do {
      try self.init(parsing: text, operands: operands, ofGroups: true)
    } catch {
      throw QueryError(error, in: QueryError.havingPart)
    }
  }

  /// Reads a filter whose variables may stand for key paths, too.
  ///
  /// - Parameter isOfGroups: Whether it is a condition on groups.
  package init(parsing text: String, operands: [String: Operand], ofGroups isOfGroups: Bool = false) throws(QueryError)
  {
    // A bridged string is made native, so that places in its bytes are found in constant time.
    var text = text
    text.makeContiguousUTF8()
    guard text.utf8.count <= Filter.maximumByteCount else {
      let message = "the filter has \(text.utf8.count) bytes; \(Filter.maximumByteCount) are allowed"
      throw QueryError(message, inFilter: String(text.prefix(200)), utf8Offset: 0)
    }
    var parser = try FilterParser(text, variables: operands, ofGroups: isOfGroups)
    self = try parser.filter()
  }
}
