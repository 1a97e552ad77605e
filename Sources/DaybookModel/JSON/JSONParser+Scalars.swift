extension JSONParser {
  /// Reads a string; the next byte is its opening quote.
  mutating func string() throws(JSONError) -> String {
    offset += 1
    var start = offset
    var unescaped: [UInt8]?
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""):
        defer { offset += 1 }
        guard var bytes = unescaped else { return String(decoding: text[start..<offset], as: UTF8.self) }
        bytes.append(contentsOf: text[start..<offset])
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        var bytes = unescaped ?? []
        unescaped = nil
        bytes.append(contentsOf: text[start..<offset])
        bytes.append(contentsOf: try escape().utf8)
        unescaped = bytes
        start = offset
      case 0..<0x20:
        throw error(
          "a control character in a string; write it as \\u00\(hexadecimalText(of: [text[offset]].rawSpan))")
      default:
        offset += 1
      }
    }
    throw error("the string has no closing quote")
  }

  /// Reads an escape; the next byte is its backslash.
  private mutating func escape() throws(JSONError) -> String {
    let start = offset
    offset += 1
    let letter = next
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(Unicode.Scalar(letter))
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "u"): return String(try escapedScalar(from: start))
    default: throw JSONError("no escape begins like this; write a backslash as \\\\", at: start, of: text)
    }
  }

  /// Reads the digits of a `\u`, and the second half of a surrogate pair.
  private mutating func escapedScalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try fourDigits(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xdc00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let low = try fourDigits(from: start)
      if (0xdc00..<0xe000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
      {
        return scalar
      }
    }
    throw JSONError("half of a surrogate pair stands alone", at: start, of: text)
  }

  private mutating func fourDigits(from start: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimalDigit(next) else {
        throw JSONError("“\\u” needs four hexadecimal digits", at: start, of: text)
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  /// Reads a number; the next byte is its sign or first digit.
  mutating func number() throws(JSONError) -> JSONValue {
    let start = offset
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if isDigit(next) { throw JSONError("a number may not begin with 0", at: start, of: text) }
    } else {
      try digits()
    }
    var isInteger = true
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let literal = String(decoding: text[start..<offset], as: UTF8.self)
    if isInteger, let number = Int64(literal) { return .integer(number) }
    return JSONValue.exactNumber(literal)
  }

  private mutating func digits() throws(JSONError) {
    guard isDigit(next) else { throw error("expected a digit, but found \(here)") }
    while isDigit(next) { offset += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}

private extension JSONValue {
  /// Returns a double if its shortest form is the literal's exact number, or else the literal.
  static func exactNumber(_ literal: String) -> JSONValue {
    guard let number = Double(literal), number.isFinite, NumberText(literal) == NumberText("\(number)") else {
      return .literal(literal)
    }
    return .number(number)
  }
}
