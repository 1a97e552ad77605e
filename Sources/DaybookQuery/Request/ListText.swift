/// The text form of a list: parts separated by commas, with spaces around them.
///
///     name, type.name               // shown paths
///     Soup, "Fish, grilled", ""     // names of sections
struct ListText {
  private let text: String
  private var index: String.Index

  init(_ text: String) {
    self.text = text
    index = text.startIndex
  }

  /// Reads key paths.
  ///
  /// - Throws: A ``QueryError`` that points at the first character that belongs to no path.
  func paths() throws(QueryError) -> [[String]] {
    var paths: [[String]] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      paths.append(try TermText.path(ListText.trimmed(part), in: text))
    }
    return paths
  }

  /// Reads names, which may be in quotes.
  ///
  /// - Throws: A ``QueryError`` that points at a quote without end, or at text after a quoted name.
  mutating func names() throws(QueryError) -> [String] {
    var names = [try name()]
    while index < text.endIndex {
      text.formIndex(after: &index)
      names.append(try name())
    }
    return names
  }

  /// Reads the name up to the next comma, or to the end.
  private mutating func name() throws(QueryError) -> String {
    while index < text.endIndex, text[index] == " " { text.formIndex(after: &index) }
    guard index < text.endIndex, text[index] == "\"" else {
      let rest = text[index...]
      let end = rest.firstIndex(of: ",") ?? rest.endIndex
      defer { index = end }
      return String(ListText.trimmed(rest[..<end]))
    }
    let name = try quotedName()
    while index < text.endIndex, text[index] == " " { text.formIndex(after: &index) }
    guard index == text.endIndex || text[index] == "," else {
      throw TermText.error("a comma is expected after a name in quotes", at: index, in: text)
    }
    return name
  }

  private mutating func quotedName() throws(QueryError) -> String {
    let start = index
    var name = ""
    text.formIndex(after: &index)
    while let end = text[index...].firstIndex(of: "\"") {
      name += text[index..<end]
      index = text.index(after: end)
      guard index < text.endIndex, text[index] == "\"" else { return name }
      name.append("\"")
      text.formIndex(after: &index)
    }
    throw TermText.error("this quote has no end; put another after the name", at: start, in: text)
  }

  private static func trimmed(_ part: Substring) -> Substring {
    var part = part
    while part.first == " " { part.removeFirst() }
    while part.last == " " { part.removeLast() }
    return part
  }
}
