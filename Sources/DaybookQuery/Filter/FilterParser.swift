import DaybookModel

extension Filter {
  /// Reads a filter from text.
  ///
  ///     let filter = try Filter(parsing: "createdAt BETWEEN {2026-01-01, 2026-02-01} AND note != nil")
  ///
  /// - Parameter text: At most ``maximumByteCount`` bytes, nesting at most ``maximumDepth`` deep.
  /// - Throws: A ``FilterError`` that points at the character which is wrong.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(parsing text: String) throws(FilterError) {
    // Text that was bridged from elsewhere is made native, so that places in its bytes are found at once.
    var text = text
    text.makeContiguousUTF8()
    guard text.utf8.count <= Filter.maximumByteCount else {
      let message = "the filter has \(text.utf8.count) bytes; \(Filter.maximumByteCount) are allowed"
      throw FilterError(message, in: String(text.prefix(200)), utf8Offset: 0)
    }
    var parser = try FilterParser(text)
    self = try parser.filter()
  }
}

/// A recursive descent over the words of a filter. It recurses for parentheses and negations only, whose depth is limited.
struct FilterParser {
  private var lexer: FilterLexer
  private var token: FilterToken
  private var depth = 0

  init(_ text: String) throws(FilterError) {
    lexer = FilterLexer(text)
    token = try lexer.next()
  }

  mutating func filter() throws(FilterError) -> Filter {
    let filter = try disjunction()
    guard case .end = token.kind else { throw unexpected("AND, OR or the end") }
    return Filter(filter.node, depth: filter.depth, text: lexer.text)
  }

  private mutating func disjunction() throws(FilterError) -> Filter {
    var parts = [try conjunction()]
    while token.isSymbol(.or) || token.word == "or" {
      try advance()
      parts.append(try conjunction())
    }
    return .any(parts)
  }

  private mutating func conjunction() throws(FilterError) -> Filter {
    var parts = [try negation()]
    while token.isSymbol(.and) || token.word == "and" {
      try advance()
      parts.append(try negation())
    }
    return .all(parts)
  }

  private mutating func negation() throws(FilterError) -> Filter {
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

  private mutating func primary() throws(FilterError) -> Filter {
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

  private mutating func group() throws(FilterError) -> Filter {
    let start = token.start
    try enter()
    try advance()
    let filter = try disjunction()
    guard token.isSymbol(.closeParenthesis) else {
      if case .end = token.kind { throw lexer.error("this parenthesis is not closed", at: start) }
      throw unexpected("AND, OR or a closing parenthesis")
    }
    try advance()
    depth -= 1
    return filter
  }

  private mutating func enter() throws(FilterError) {
    depth += 1
    guard depth <= Filter.maximumDepth else {
      throw lexer.error("the filter nests deeper than \(Filter.maximumDepth)", at: token.start)
    }
  }

  mutating func advance() throws(FilterError) {
    token = try lexer.next()
  }

  func unexpected(_ expected: String) -> FilterError {
    lexer.error("\(expected) is expected here, not \(found)", at: token.start)
  }

  private var found: String {
    if case .end = token.kind { return "the end" }
    let text = String(decoding: lexer.units[token.start..<token.end], as: UTF8.self)
    return "“\(text.count > 40 ? text.prefix(40) + "…" : text)”"
  }
}

// Tests.
extension FilterParser {
  private mutating func comparison() throws(FilterError) -> Filter {
    let quantifier = try quantifier()
    let left = try operand()
    let place = Place(utf8Offset: token.start)
    let operation = try operation()
    let options = try options(of: operation)
    let right = try operation.takesList ? list(for: operation) : operand()
    let comparison = Filter.Comparison(
      quantifier: quantifier, left: left, operation: operation, options: options, right: right, place: place)
    return Filter(.comparison(comparison), depth: 0)
  }

  private mutating func quantifier() throws(FilterError) -> Filter.Quantifier? {
    let quantifier: Filter.Quantifier
    switch token.word {
    case "any", "some": quantifier = .any
    case "all": quantifier = .all
    case "none": quantifier = .none
    default: return nil
    }
    try advance()
    return quantifier
  }

  private mutating func operation() throws(FilterError) -> Filter.Operator {
    let operation: Filter.Operator? =
      switch token.kind {
      case .symbol(let symbol): Filter.Operator(rawValue: symbol.rawValue)
      case .path: token.word.flatMap { Filter.Operator(rawValue: $0.uppercased()) }
      case .value, .end: nil
      }
    guard let operation else { throw unexpected("an operator such as == or CONTAINS") }
    try advance()
    return operation
  }

  private mutating func options(of operation: Filter.Operator) throws(FilterError) -> Filter.Options {
    guard token.isSymbol(.openBracket) else { return [] }
    let start = token.start
    try advance()
    var options: Filter.Options = []
    switch token.word {
    case "c": options = .caseInsensitive
    case "d": options = .diacriticInsensitive
    case "cd", "dc": options = [.caseInsensitive, .diacriticInsensitive]
    default: throw unexpected("c, d or cd")
    }
    guard operation.takesOptions else {
      throw lexer.error("\(operation.rawValue) has no [c] or [d]; only tests of equality and of text have them", at: start)
    }
    try advance()
    guard token.isSymbol(.closeBracket) else { throw unexpected("]") }
    try advance()
    return options
  }

  private mutating func operand() throws(FilterError) -> Filter.Operand {
    let place = Place(utf8Offset: token.start)
    if token.isSymbol(.openBrace) { throw lexer.error("only IN and BETWEEN take a list", at: token.start) }
    if let value = try literal() { return Filter.Operand(.value(value), place: place) }
    guard case .path(let path) = token.kind, token.word.map({ !ModelNames.keywords.contains($0) }) ?? true else {
      throw unexpected("a key path or a value")
    }
    try advance()
    return Filter.Operand(.path(path), place: place)
  }

  private mutating func literal() throws(FilterError) -> Value? {
    let value: Value
    switch (token.kind, token.word) {
    case (.value(let literal), _): value = literal
    case (_, "true"): value = true
    case (_, "false"): value = false
    case (_, "nil"), (_, "null"): value = nil
    case (_, "infinity"): value = .double(.infinity)
    default: return nil
    }
    try advance()
    return value
  }

  private mutating func list(for operation: Filter.Operator) throws(FilterError) -> Filter.Operand {
    let place = Place(utf8Offset: token.start)
    guard token.isSymbol(.openBrace) else { throw unexpected("a list in braces behind \(operation.rawValue)") }
    try advance()
    var values: [Filter.Operand] = []
    while !token.isSymbol(.closeBrace) {
      if !values.isEmpty {
        guard token.isSymbol(.comma) else { throw unexpected("a comma or }") }
        try advance()
      }
      let start = Place(utf8Offset: token.start)
      guard let value = try literal() else { throw unexpected("a value") }
      values.append(Filter.Operand(.value(value), place: start))
    }
    guard operation != .between || values.count == 2 else {
      throw lexer.error("BETWEEN takes two values, the least and the greatest", at: place.utf8Offset)
    }
    try advance()
    return Filter.Operand(.values(values), place: place)
  }
}

extension Filter.Operator {
  /// Whether the right side is a list.
  var takesList: Bool { self == .among || self == .between }

  /// Whether it is about text only.
  var isTextual: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .matches: true
    default: false
    }
  }

  var takesOptions: Bool { isTextual || self == .equal || self == .notEqual || self == .among }
}
