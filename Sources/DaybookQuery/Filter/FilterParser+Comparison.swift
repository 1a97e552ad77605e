import DaybookModel

extension FilterParser {
  mutating func comparison() throws(FilterError) -> Filter {
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
      throw lexer.error(
        "\(operation.rawValue) has no [c] or [d]; only tests of equality and of text have them", at: start)
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
