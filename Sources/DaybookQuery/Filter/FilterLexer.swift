import DaybookModel

/// Splits the text of a filter into tokens.
struct FilterLexer {
  let text: String
  let units: [UInt8]
  var offset = 0
  /// Whether names are of keys and values of groups: `sum:servings` is one name, and any text between backquotes.
  private let isOfGroups: Bool

  init(_ text: String, ofGroups isOfGroups: Bool = false) {
    self.text = text
    self.isOfGroups = isOfGroups
    units = Array(text.utf8)
  }

  mutating func next() throws(QueryError) -> FilterToken {
    skipBlanks()
    let start = offset
    return FilterToken(kind: try kind(), start: start, end: offset)
  }

  /// Returns whether a symbol of one character is next.
  func isBefore(_ symbol: FilterToken.Symbol) -> Bool {
    var ahead = self
    ahead.skipBlanks()
    return ahead.peek() == symbol.rawValue.utf8.first
  }

  private mutating func kind() throws(QueryError) -> FilterToken.Kind {
    guard let unit = peek() else { return .end }
    switch unit {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .value(.string(try string(quotedBy: unit)))
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      return .value(try number())
    case UInt8(ascii: "$"): return .variable(try variable())
    case UInt8(ascii: "`") where isOfGroups: return .column(try column())
    case UInt8(ascii: "@"): return .path(try builtInWord())
    default: break
    }
    if let scalar = scalar(), ModelNames.isStart(scalar.value) { return .path(try path()) }
    return .symbol(try symbol())
  }

  mutating func skipBlanks() {
    while let unit = peek(), unit == UInt8(ascii: " ") || (9...13).contains(unit) { offset += 1 }
  }

  func peek(_ distance: Int = 0) -> UInt8? {
    offset + distance < units.count ? units[offset + distance] : nil
  }

  func error(_ message: String, at offset: Int) -> QueryError {
    QueryError(message, inFilter: text, utf8Offset: offset)
  }

  /// Returns the scalar at the current offset and its length in bytes.
  func scalar() -> (value: Unicode.Scalar, length: Int)? {
    guard offset < units.count else { return nil }
    let index = text.utf8.index(text.startIndex, offsetBy: offset)
    let scalar = text.unicodeScalars[index]
    return (scalar, scalar.utf8.count)
  }
}

// Paths and symbols.
extension FilterLexer {
  private mutating func path() throws(QueryError) -> Filter.KeyPath {
    var words: [String] = []
    var places: [Place] = []
    repeat {
      if !words.isEmpty { offset += 1 }
      places.append(Place(utf8Offset: offset))
      words.append(try name(isFirst: words.isEmpty))
    } while peek() == UInt8(ascii: ".")
    return Filter.KeyPath(words, places: places)
  }

  private mutating func name(isFirst: Bool) throws(QueryError) -> String {
    let start = offset
    var name = ""
    if !isFirst, peek() == UInt8(ascii: "@") {
      offset += 1
      name = "@"
    }
    name += try word()
    guard name.hasPrefix("@"), name != ModelNames.entityWord,
      Filter.Aggregate(rawValue: String(name.dropFirst())) == nil
    else { return name }
    let known = (Filter.Aggregate.allCases.map { "@" + $0.rawValue } + [ModelNames.entityWord]).joined(separator: ", ")
    throw error("“\(name)” is not known; there are \(known)", at: start)
  }

  mutating func word() throws(QueryError) -> String {
    guard let first = scalar(), ModelNames.isStart(first.value) else {
      throw error("a name is expected here", at: offset)
    }
    var word = ""
    while let next = scalar(), ModelNames.isPart(next.value) {
      word.unicodeScalars.append(next.value)
      offset += next.length
    }
    guard isOfGroups, peek() == UInt8(ascii: ":") else { return word }
    offset += 1
    return try "\(word):" + self.word()
  }

  /// Reads a name in backquotes, in which a backquote is written twice.
  private mutating func column() throws(QueryError) -> String {
    let start = offset
    offset += 1
    var bytes: [UInt8] = []
    while let unit = peek() {
      offset += 1
      if unit == UInt8(ascii: "`") {
        guard peek() == unit else {
          if bytes.isEmpty { throw error("a name is missing", at: start) }
          return String(decoding: bytes, as: UTF8.self)
        }
        offset += 1
      }
      bytes.append(unit)
    }
    throw error("this backquote has no end; put another after the name", at: start)
  }

  private mutating func variable() throws(QueryError) -> String {
    offset += 1
    return try word()
  }

  private mutating func symbol() throws(QueryError) -> FilterToken.Symbol {
    let start = offset
    let pair = String(decoding: units[start..<min(start + 2, units.count)], as: UTF8.self)
    // The alternative spellings that Core Data accepts.
    let spellings = ["<>": FilterToken.Symbol.notEqual, "=<": .lessOrEqual, "=>": .greaterOrEqual]
    if let symbol = FilterToken.Symbol(rawValue: pair) ?? spellings[pair], pair.utf8.count == 2 {
      offset += 2
      return symbol
    }
    let single = String(decoding: units[start..<(start + 1)], as: UTF8.self)
    if let symbol = FilterToken.Symbol(rawValue: single) ?? (single == "=" ? .equal : nil) {
      offset += 1
      return symbol
    }
    let shown = scalar().map { String(Character($0.value)) } ?? ""
    throw error("“\(shown)” is not part of the filter language; put text in quotes", at: start)
  }
}
