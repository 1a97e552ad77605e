/// The reason why a text is not JSON, and the place.
package struct JSONError: Error, Hashable, Sendable {
  /// The fault, and what was expected.
  package let message: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, counted in code points.
  package let column: Int

  package init(_ message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }

  /// Creates an error at a byte of a text; bytes that are not UTF-8 count unchanged.
  init(_ message: String, at offset: Int, of text: [UInt8]) {
    let before = text[..<min(offset, text.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    self.message = message
    line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    column = before[lineStart...].reduce(1) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 }
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(message)" }
}
