extension JSONValue {
  /// Appends the value on one line, with a space after `:` and `,`.
  package func write(to output: inout [UInt8]) {
    write(to: &output, style: JSONStyle(separator: ", ", colon: ": "), depth: 0)
  }

  /// Appends the value on one line, with a space after `:` and `,`.
  package func write(to output: inout String) {
    output += text
  }

  /// The value on one line, with a space after `:` and `,`.
  package var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value with each member and element on its own line, indented by two spaces.
  package var prettyText: String {
    var bytes: [UInt8] = []
    write(to: &bytes, style: JSONStyle(separator: ",", colon: ": ", indentation: 2), depth: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value's canonical bytes: without spaces, object members sorted by their keys' bytes.
  package var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, style: JSONStyle(separator: ",", colon: ":", sortsKeys: true), depth: 0)
    return bytes
  }

  private func write(to output: inout [UInt8], style: JSONStyle, depth: Int) {
    switch self {
    case .null: output += "null".utf8
    case .boolean(let flag): output += (flag ? "true" : "false").utf8
    case .integer(let number): output += String(number).utf8
    case .number(let number): JSONValue.write(number, to: &output)
    case .literal(let text): output += text.utf8
    case .string(let text): JSONValue.write(text, to: &output)
    case .array(let elements):
      style.write(elements, between: ("[", "]"), to: &output, depth: depth) { element, output in
        element.write(to: &output, style: style, depth: depth + 1)
      }
    case .object(let members):
      let members = style.sortsKeys ? members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : members
      style.write(members, between: ("{", "}"), to: &output, depth: depth) { member, output in
        JSONValue.write(member.key, to: &output)
        output += style.colon.utf8
        member.value.write(to: &output, style: style, depth: depth + 1)
      }
    }
  }

  /// Writes the shortest digits that parse as the same double.
  private static func write(_ number: Double, to output: inout [UInt8]) {
    guard number.isFinite else {
      return write(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity", to: &output)
    }
    output += "\(number)".utf8
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { units in
      // What needs no escape is written in one piece.
      var start = 0
      while let index = unsafe firstEscaped(in: UnsafeRawBufferPointer(units), from: start) {
        unsafe output.append(contentsOf: units[start..<index])
        output += escape(of: units[index]).utf8
        start = index + 1
      }
      unsafe output.append(contentsOf: units[start...])
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Returns the place of the first byte that no text of JSON has as it is, from `start` on. Compares eight bytes at a
  /// time: texts of megabytes have few such bytes.
  private static func firstEscaped(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while index &+ 8 <= bytes.count {
      let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let (quote, backslash) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5c5c_5c5c_5c5c_5c5c)
      // A byte below its limit borrows from its highest bit. The lowest mark is exact; those above it may be borrows.
      let found =
        (word &- 0x2020_2020_2020_2020) & ~word
        | (quote &- 0x0101_0101_0101_0101) & ~quote
        | (backslash &- 0x0101_0101_0101_0101) & ~backslash
      let marks = found & 0x8080_8080_8080_8080
      if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < bytes.count {
      if unsafe isEscaped(bytes[index]) { return index }
      index &+= 1
    }
    return nil
  }

  private static func isEscaped(_ unit: UInt8) -> Bool {
    unit < 0x20 || unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\")
  }

  /// Returns what stands for a character that no text of JSON has as it is.
  private static func escape(of unit: UInt8) -> String {
    switch unit {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case 0x0a: "\\n"
    case 0x0d: "\\r"
    case 0x09: "\\t"
    default: "\\u00\(hexadecimalText(of: [unit].rawSpan))"
    }
  }
}

/// The layout of JSON text.
private struct JSONStyle {
  var separator: String
  var colon: String
  /// The spaces per level, with each element on its own line, or `nil` for one line.
  var indentation: Int?
  var sortsKeys = false

  func write<Element>(
    _ elements: [Element], between brackets: (String, String), to output: inout [UInt8], depth: Int,
    _ writeElement: (Element, inout [UInt8]) -> Void
  ) {
    output += brackets.0.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { output += separator.utf8 }
      startLine(to: &output, depth: depth + 1)
      writeElement(element, &output)
    }
    if !elements.isEmpty { startLine(to: &output, depth: depth) }
    output += brackets.1.utf8
  }

  private func startLine(to output: inout [UInt8], depth: Int) {
    guard let indentation else { return }
    output.append(0x0a)
    output += repeatElement(0x20, count: indentation * depth)
  }
}
