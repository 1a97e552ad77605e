/// A text with a place in it, shown by a caret under the place.
struct PointedText: Hashable, Sendable {
  let text: String
  /// The number of the character, from 1; one past the last for the end.
  let column: Int

  init(_ text: String, at index: String.Index) {
    self.text = text
    // An index inside a character, before a combining mark for example, counts as that character.
    var column = 1
    var end = text.startIndex
    while end < index {
      end = text.index(after: end)
      if end <= index { column += 1 }
    }
    self.column = column
  }

  init(_ text: String, utf8Offset: Int) {
    self.init(text, at: text.utf8.index(text.startIndex, offsetBy: min(utf8Offset, text.utf8.count)))
  }

  /// Two lines: the text and a caret.
  ///
  /// A long text is cut to the part around the place, and characters that would break the line or move the cursor are
  /// shown as spaces.
  var drawing: String {
    let width = 100
    let before = 60
    let start = max(0, column - 1 - before)
    let shown = text.dropFirst(start).prefix(width).map { PointedText.isPlain($0) ? $0 : " " }
    let head = start > 0 ? "…" : ""
    let tail = text.dropFirst(start + width).isEmpty ? "" : "…"
    let indent = String(repeating: " ", count: column - 1 - start + head.count)
    return head + String(shown) + tail + "\n" + indent + "^"
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }
}
