import DaybookModel

/// Reads names of groups' values and keys from a text.
struct GroupTextReader {
  private let text: String
  private let end: String.Index
  private var index: String.Index

  init(_ text: String, through end: String.Index? = nil) {
    self.text = text
    self.end = end ?? text.endIndex
    index = text.startIndex
    skipBlanks()
  }

  var isAtEnd: Bool { index >= end }

  private mutating func skipBlanks() {
    while index < end, text[index] == " " { text.formIndex(after: &index) }
  }

  /// Takes a character and the blanks behind it.
  mutating func take(_ character: Character) -> Bool {
    guard index < end, text[index] == character else { return false }
    text.formIndex(after: &index)
    skipBlanks()
    return true
  }

  func error(_ message: String) -> QueryError { TermText.error(message, at: index, in: text) }

  /// Reads one value, which may have a name.
  mutating func value() throws(QueryError) -> GroupValue {
    let start = index
    let first = try columnName()
    guard take("=") else { return try GroupTextReader.value(first, named: nil, at: start, in: text) }
    let place = index
    return try GroupTextReader.value(try columnName(), named: first, at: place, in: text)
  }

  private static func value(
    _ word: String, named name: String?, at start: String.Index, in text: String
  ) throws(QueryError) -> GroupValue {
    let place = WrittenPlace(text: text, utf8Offset: text.utf8.distance(from: text.startIndex, to: start))
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let function = Accumulator.Function(word: parts[0]) else {
      let known = Accumulator.Function.allCases.map(\.word).joined(separator: ", ")
      throw place.error("“\(parts[0])” is not computed over groups; there are \(known)", in: "show")
    }
    guard function != .count else {
      guard parts.count == 1 else { throw place.error("count is the number of objects, and has no path", in: "show") }
      return GroupValue(.count, of: nil, named: name, at: place)
    }
    guard parts.count == 2 else {
      throw place.error("\(function.word) is of a value; write it as in \(function.word):name", in: "show")
    }
    return GroupValue(function, of: try TermText.path(parts[1], in: word), named: name, at: place)
  }

  /// Reads a name with what may follow it without blanks: a function, a colon and a path, or one in backquotes.
  mutating func columnName() throws(QueryError) -> String {
    if index < end, text[index] == "`" { return try quoted() }
    let start = index
    while index < end, GroupTextReader.isPart(text[index]) { text.formIndex(after: &index) }
    guard start < index else { throw error("a name is expected here") }
    let name = String(text[start..<index])
    skipBlanks()
    return name
  }

  private mutating func quoted() throws(QueryError) -> String {
    let start = index
    var name = ""
    text.formIndex(after: &index)
    while let close = text[index..<end].firstIndex(of: "`") {
      name += text[index..<close]
      index = text.index(after: close)
      guard index < end, text[index] == "`" else {
        guard !name.isEmpty else { throw TermText.error("a name is missing", at: start, in: text) }
        guard name.unicodeScalars.allSatisfy({ $0.value >= 32 }) else {
          throw TermText.error("a name has no control characters", at: start, in: text)
        }
        skipBlanks()
        return name
      }
      name.append("`")
      text.formIndex(after: &index)
    }
    throw TermText.error("this backquote has no end; put another after the name", at: start, in: text)
  }

  private static func isPart(_ character: Character) -> Bool {
    character == "." || character == ":" || character.unicodeScalars.allSatisfy { ModelNames.isPart($0) }
  }
}
