#if Command

/// Computes the columns of text on a terminal.
enum DisplayWidth {
  /// Returns the columns of a line of text.
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Returns the columns of a character: 0 for a lone mark, 2 for ideographs and emoji, else 1.
  static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // The selector requests the emoji form of the character before it, which is wide.
      if scalar == "\u{fe0f}" { return 2 }
      width = max(width, of(scalar))
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .control, .nonspacingMark, .enclosingMark, .format, .surrogate: return 0
    default: break
    }
    if scalar.value < 0x1100 { return 1 }
    return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
  }

  /// Returns whether the East Asian width of a character is wide or full.
  ///
  /// The blocks count as a whole, since characters that are not assigned yet will be wide too. The standard library
  /// does not provide this property.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97f,
      0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6,
      0x16fe0...0x18dff, 0x1aff0...0x1b2ff, 0x1f200...0x1f2ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }

  /// Cuts text to a number of columns, with an ellipsis for the missing part.
  static func truncated(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      result.append(character)
      used += next
    }
    return result + "…"
  }

  /// Pads text with spaces to a number of columns.
  static func padded(_ text: String, to width: Int, alignment: TextTable.Alignment = .left) -> String {
    let space = String(repeating: " ", count: max(0, width - of(text)))
    return alignment == .left ? text + space : space + text
  }
}

#endif
