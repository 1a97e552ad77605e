import DaybookModel

/// A recursive descent parser for filters.
///
/// It recurses for parentheses and negations only, whose depth is limited; `COUNT(…)` and `WHERE (…)` have parentheses.
struct FilterParser {
  var lexer: FilterLexer
  private(set) var token: FilterToken
  /// What the names behind `$` stand for.
  let variables: [String: Filter.Operand]
  private var depth = 0

  init(
    _ text: String, variables: [String: Filter.Operand], ofGroups isOfGroups: Bool = false
  ) throws(QueryError) {
    self.variables = variables
    lexer = FilterLexer(text, ofGroups: isOfGroups)
    token = try lexer.next()
  }

  mutating func filter() throws(QueryError) -> Filter {
    let filter = try disjunction()
    guard case .end = token.kind else { throw unexpected("AND, OR or the end") }
    return Filter(filter.node, depth: filter.depth, text: lexer.text)
  }

  mutating func disjunction() throws(QueryError) -> Filter {
    var parts = [try conjunction()]
    while token.isSymbol(.or) || token.word == "or" {
      try advance()
      parts.append(try conjunction())
    }
    return .any(parts)
  }

  private mutating func conjunction() throws(QueryError) -> Filter {
    var parts = [try negation()]
    while token.isSymbol(.and) || token.word == "and" {
      try advance()
      parts.append(try negation())
    }
    return .all(parts)
  }

  private mutating func negation() throws(QueryError) -> Filter {
    var count = 0
    while token.isSymbol(.not) || token.word == "not" {
      try enter()
      count += 1
      try advance()
    }
    var filter = try primary()
    for _ in 0..<count { filter = !filter }
    depth -= count
    return filter
  }

  private mutating func primary() throws(QueryError) -> Filter {
    if token.isSymbol(.openParenthesis) { return try group() }
    switch token.word {
    case "truepredicate":
      try advance()
      return .always
    case "falsepredicate":
      try advance()
      return .never
    default: return try comparison()
    }
  }

  mutating func group() throws(QueryError) -> Filter {
    try parenthesized { parser throws(QueryError) in
      try parser.advance()
      return try parser.disjunction()
    }
  }

  /// Reads from an opening parenthesis, at which the body begins, through the closing one.
  mutating func parenthesized<Content>(
    _ body: (inout FilterParser) throws(QueryError) -> Content
  ) throws(QueryError) -> Content {
    let start = token.start
    try enter()
    defer { leave() }
    let content = try body(&self)
    guard token.isSymbol(.closeParenthesis) else {
      if case .end = token.kind { throw lexer.error("this parenthesis is not closed", at: start) }
      throw unexpected("AND, OR or a closing parenthesis")
    }
    try advance()
    return content
  }

  mutating func enter() throws(QueryError) {
    depth += 1
    guard depth <= Filter.maximumDepth else {
      throw lexer.error("the filter nests deeper than \(Filter.maximumDepth)", at: token.start)
    }
  }

  mutating func leave() { depth -= 1 }

  mutating func advance() throws(QueryError) {
    token = try lexer.next()
  }

  func unexpected(_ expected: String) -> QueryError {
    lexer.error("\(expected) is expected here, not \(found)", at: token.start)
  }

  private var found: String {
    if case .end = token.kind { return "the end" }
    let text = String(decoding: lexer.units[token.start..<token.end], as: UTF8.self)
    return "“\(text.count > 40 ? text.prefix(40) + "…" : text)”"
  }
}
