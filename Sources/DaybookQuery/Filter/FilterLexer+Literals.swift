import DaybookModel

extension FilterLexer {
  mutating func number() throws(QueryError) -> Value {
    let start = offset
    if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { offset += 1 }
    let digits = offset
    skip { $0 &- UInt8(ascii: "0") < 10 }
    if offset - digits >= 4, peek() == UInt8(ascii: "-") { return try date(from: start) }
    skip {
      ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: ".") || $0 >= 128
    }
    if let sign = peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+"), offset > start,
      units[offset - 1] | 0x20 == UInt8(ascii: "e")
    {
      offset += 1
      skip { $0 &- UInt8(ascii: "0") < 10 }
    }
    let written = String(decoding: units[start..<offset], as: UTF8.self)
    if let value = NumberText.value(of: written) { return value }
    throw error("“\(written.prefix(40))” is not a number", at: start)
  }

  private mutating func date(from start: Int) throws(QueryError) -> Value {
    skip {
      $0 &- UInt8(ascii: "0") < 10 || ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "+")
    }
    let written = String(decoding: units[start..<offset], as: UTF8.self)
    if let time = Timestamp(written) { return .date(time) }
    throw error("“\(written.prefix(40))” is not a date; write \(Timestamp.forms)", at: start)
  }

  private mutating func skip(while isWanted: (UInt8) -> Bool) {
    while let unit = peek(), isWanted(unit) { offset += 1 }
  }

  mutating func string(quotedBy quote: UInt8) throws(QueryError) -> String {
    let start = offset
    offset += 1
    var bytes: [UInt8] = []
    while let unit = peek() {
      if unit == quote {
        offset += 1
        return String(decoding: bytes, as: UTF8.self)
      }
      if unit == UInt8(ascii: "\\") {
        bytes += Array(String(Character(try escape())).utf8)
      } else {
        bytes.append(unit)
        offset += 1
      }
    }
    throw error("this string has no end; close it with \(Character(Unicode.Scalar(quote)))", at: start)
  }

  private mutating func escape() throws(QueryError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let next = scalar() else { throw error("a character is expected behind the backslash", at: start) }
    offset += next.length
    switch next.value {
    case "\"", "'", "\\": return next.value
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "u": return try hexadecimalScalar(from: start)
    default:
      throw error(
        #"“\\#(next.value)” is not an escape; there are \" \' \\ \n \t \r \u{...}, and a backslash is written \\"#,
        at: start)
    }
  }

  private mutating func hexadecimalScalar(from start: Int) throws(QueryError) -> Unicode.Scalar {
    guard peek() == UInt8(ascii: "{") else { throw error(#"\u is followed by digits in braces: \u{e9}"#, at: start) }
    offset += 1
    var number: UInt32 = 0
    let digits = offset
    while let unit = peek(), let digit = hexadecimalDigit(unit), offset - digits < 7 {
      number = number << 4 | UInt32(digit)
      offset += 1
    }
    guard peek() == UInt8(ascii: "}"), offset > digits, offset - digits <= 6, let scalar = Unicode.Scalar(number) else {
      throw error(#"\u takes one to six hexadecimal digits of a Unicode scalar in braces: \u{e9}"#, at: start)
    }
    offset += 1
    return scalar
  }
}
