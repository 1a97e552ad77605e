import DaybookModel

extension FilterParser {
  /// One test, the same test of several key paths, one of which must pass, or a test of related objects.
  mutating func comparison() throws(QueryError) -> Filter {
    let first = (quantifier: try quantifier(), operand: try operand())
    if token.word == "where" { return try relatedObjects(first.quantifier, of: first.operand) }
    let subjects = try subjects(from: first)
    let place = Place(utf8Offset: token.start)
    let operation = try operation()
    guard subjects.count == 1 || operation != .notEqual else {
      throw lexer.error("several key paths have no !=; write NOT before them, and ==", at: place.utf8Offset)
    }
    let options = try options(of: operation)
    // The canonical text has a group in the place of several key paths.
    if subjects.count > 1 { try enter() }
    let right = try operation.takesList ? list(for: operation) : operand()
    if subjects.count > 1 { leave() }
    let tests = subjects.map { subject in
      let comparison = Filter.Comparison(
        quantifier: subject.quantifier, left: subject.operand, operation: operation, options: options, right: right,
        place: place)
      return Filter(comparison)
    }
    return .any(tests)
  }

  /// What stands before an operator: an operand, or several key paths with commas between them.
  private mutating func subjects(
    from first: (quantifier: Filter.Quantifier?, operand: Filter.Operand)
  ) throws(QueryError) -> [(quantifier: Filter.Quantifier?, operand: Filter.Operand)] {
    var subjects = [first]
    guard token.isSymbol(.comma) else { return subjects }
    try enter()
    defer { leave() }
    while true {
      try checkListed(subjects[subjects.count - 1])
      guard token.isSymbol(.comma) else { return subjects }
      guard subjects.count < Filter.maximumListedPaths else {
        throw lexer.error("at most \(Filter.maximumListedPaths) key paths share a test", at: token.start)
      }
      try advance()
      subjects.append((try quantifier(), try operand()))
    }
  }

  private func checkListed(
    _ subject: (quantifier: Filter.Quantifier?, operand: Filter.Operand)
  ) throws(QueryError) {
    let place = subject.operand.place.utf8Offset
    guard case .path = subject.operand.form else {
      throw lexer.error("only key paths share a test; a value stands alone", at: place)
    }
    guard subject.quantifier ?? .any == .any else {
      throw lexer.error("key paths that share a test have ANY or no quantifier", at: place)
    }
  }

  private mutating func quantifier() throws(QueryError) -> Filter.Quantifier? {
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

  private mutating func operation() throws(QueryError) -> Filter.Operator {
    let operation: Filter.Operator? =
      switch token.kind {
      case .symbol(let symbol): Filter.Operator(rawValue: symbol.rawValue)
      case .path: token.word.flatMap { Filter.Operator(rawValue: $0.uppercased()) }
      case .value, .variable, .column, .end: nil
      }
    guard let operation else { throw unexpected("an operator such as == or CONTAINS") }
    try advance()
    return operation
  }

  private mutating func options(of operation: Filter.Operator) throws(QueryError) -> Filter.Options {
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

  mutating func operand() throws(QueryError) -> Filter.Operand {
    let place = Place(utf8Offset: token.start)
    if token.word == "count", lexer.isBefore(.openParenthesis) { return try count() }
    if token.isSymbol(.openBrace) { throw lexer.error("only IN and BETWEEN take a list", at: token.start) }
    if let value = try literal() { return Filter.Operand(.value(value), place: place) }
    if let time = try presentTime(at: place) { return time }
    if let variable = try variable() {
      if case .values = variable.form { throw lexer.error("only IN and BETWEEN take a list", at: place.utf8Offset) }
      return variable
    }
    if case .column(let name) = token.kind {
      try advance()
      return Filter.Operand(.path(Filter.KeyPath(column: name, place: place)), place: place)
    }
    guard case .path(let path) = token.kind, token.word.map({ !ModelNames.keywords.contains($0) }) ?? true else {
      throw unexpected("a key path or a value")
    }
    try advance()
    return Filter.Operand(.path(path), place: place)
  }

  private mutating func literal() throws(QueryError) -> Value? {
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

  /// Returns what a variable stands for, or `nil` if the token is no variable.
  private mutating func variable() throws(QueryError) -> Filter.Operand? {
    guard case .variable(let name) = token.kind else { return nil }
    guard let operand = variables[name] else {
      throw lexer.error("“$\(name.prefix(40))” has no value; give it one with the filter", at: token.start)
    }
    let placed = operand.moved(to: Place(utf8Offset: token.start))
    try advance()
    return placed
  }

  private mutating func list(for operation: Filter.Operator) throws(QueryError) -> Filter.Operand {
    let place = Place(utf8Offset: token.start)
    let values = try token.isSymbol(.openBrace) ? writtenList() : listOfVariable(behind: operation)
    guard operation != .between || values.count == 2 else {
      throw lexer.error("BETWEEN takes two values, the least and the greatest", at: place.utf8Offset)
    }
    return Filter.Operand(.values(values), place: place)
  }

  private mutating func listOfVariable(behind operation: Filter.Operator) throws(QueryError) -> [Filter.Operand] {
    let start = token.start
    guard let variable = try variable() else { throw unexpected("a list in braces behind \(operation.rawValue)") }
    guard case .values(let values) = variable.form else {
      throw lexer.error("\(operation.rawValue) takes a list, and this variable stands for none", at: start)
    }
    return values
  }

  private mutating func writtenList() throws(QueryError) -> [Filter.Operand] {
    try advance()
    var values: [Filter.Operand] = []
    while !token.isSymbol(.closeBrace) {
      if !values.isEmpty {
        guard token.isSymbol(.comma) else { throw unexpected("a comma or }") }
        try advance()
      }
      values.append(try element())
    }
    try advance()
    return values
  }

  private mutating func element() throws(QueryError) -> Filter.Operand {
    let place = Place(utf8Offset: token.start)
    if let value = try literal() { return Filter.Operand(.value(value), place: place) }
    if case .path(let path) = token.kind, path.isPresentTime {
      let word = path.words[0]
      throw lexer.error("“\(word)” is in no list; compare with < or <=, joined by AND or OR", at: token.start)
    }
    guard let variable = try variable() else { throw unexpected("a value") }
    guard case .value = variable.form else {
      throw lexer.error("a list takes variables that stand for one value", at: place.utf8Offset)
    }
    return variable
  }
}
