/// Makes text from outside safe to show: in tables, trees, logs, errors and the lines of a server's log.
///
/// A name may hold an escape sequence that clears the screen or sets the title of the terminal, or a mark that reverses
/// the order of the letters after it, so that one name looks like another. Readable output passes through here, and
/// nowhere else: the command's console calls it for each text, tables and trees for each cell, and logs for each line.
/// JSON is for programs, and keeps all characters.
///
/// - Control characters, and the separators of lines and paragraphs, become spaces.
/// - Marks that embed, override or isolate a direction (U+202A to U+202E, U+2066 to U+2069) become U+FFFD.
/// - Marks that only have a direction (U+200E, U+200F, U+061C), and no width, are left out.
package enum PrintableText {
  /// Returns a text on one line.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
    return made(of: text.unicodeScalars, keepsNewlines: false)
  }

  /// Returns a text with its newlines.
  ///
  /// - Parameter keepsStyles: Whether colours are kept, which the command itself has added.
  package static func lines(_ text: String, keepsStyles: Bool = false) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f || $0 == 0x0a }) { return text }
    guard keepsStyles else { return made(of: text.unicodeScalars, keepsNewlines: true) }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let start = rest.firstIndex(of: "\u{1b}") {
      result += made(of: rest[..<start], keepsNewlines: true)
      let end = endOfStyle(rest[start...])
      result += end.map { String(rest[start..<$0]) } ?? " "
      rest = rest[(end ?? rest.index(after: start))...]
    }
    return result + made(of: rest, keepsNewlines: true)
  }

  /// Returns the end of the style that a text begins with, such as `ESC [ 1 m`, or `nil` if it begins otherwise.
  private static func endOfStyle(_ text: Substring.UnicodeScalarView) -> String.Index? {
    let parameters = text.dropFirst().dropFirst()
    guard text.dropFirst().first == "[", let end = parameters.firstIndex(where: { !("0"..."9" ~= $0 || $0 == ";") }),
      parameters[end] == "m"
    else { return nil }
    return parameters.index(after: end)
  }

  private static func made(of scalars: some Sequence<Unicode.Scalar>, keepsNewlines: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in scalars {
      switch scalar.value {
      case 0x0a where keepsNewlines: result.append(scalar)
      case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029: result.append(" ")
      case 0x202a...0x202e, 0x2066...0x2069: result.append("\u{fffd}")
      case 0x200e, 0x200f, 0x061c: continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
