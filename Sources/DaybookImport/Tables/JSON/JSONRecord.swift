#if Import

import DaybookModel

/// One object of a JSON file, with its place.
package struct JSONRecord: Sendable {
  package let members: [(key: String, value: JSONValue)]
  /// The place of its opening brace.
  package let place: TextPlace
  /// The object's text, with LF as each end of a line.
  let text: [UInt8]

  /// Returns the place of a byte of the text.
  func place(ofByteAt offset: Int) -> TextPlace {
    var (line, column) = (place.line, place.column)
    for byte in text[..<offset] {
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xc0 != 0x80 {
        column += 1
      }
    }
    return TextPlace(line: line, column: column)
  }

  /// Returns the place of a member's key, or the object's if it lacks the key.
  ///
  /// The parser keeps no places, so this reads the text again; only errors need it.
  func place(of key: String) -> TextPlace {
    var (depth, isKeyNext, offset) = (0, false, 0)
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isKeyNext = depth == 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","): isKeyNext = depth == 1
      case UInt8(ascii: "\""):
        let end = endOfString(from: offset)
        let string = try? JSONValue(parsing: Array(text[offset..<end]))  // The text was parsed before.
        if isKeyNext, string == .string(key) { return place(ofByteAt: offset) }
        isKeyNext = false
        offset = end - 1
      default: break
      }
      offset += 1
    }
    return place
  }

  private func endOfString(from start: Int) -> Int {
    var offset = start + 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(offset + 1, text.count)
  }
}

#endif
