import DaybookModel
import Foundation

extension Value {
  /// The value in a form that a filter's text can express.
  var asLiteral: Value {
    switch self {
    case .uuid(let id): .string(id.description)
    case .data(let bytes): .string(Data(bytes).base64EncodedString())
    case .large(let value): .string(value.description)
    case .double(let number): NumberText.value(of: number.description) ?? self
    case .decimal(let number) where number.isNaN: .double(.nan)
    case .decimal(let number): DecimalParts(number).isStorable ? self : .double(DecimalParts(number).nearestDouble)
    case .null, .string, .integer, .boolean, .date: self
    }
  }

  /// Writes the value in the form of a filter's text.
  package func writeLiteral(to text: inout String) {
    switch asLiteral {
    case .null: text += "nil"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .decimal(let number): text += NumberText.text(of: number)
    case .double: text += self.asLiteral.text
    case .date(let time): text += time.description
    case .string(let string): Value.writeQuoted(string, to: &text)
    case .uuid, .data, .large: preconditionFailure("a literal has no such form")
    }
  }

  private static func writeQuoted(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// Numbers in the form of a filter's text.
enum NumberText {
  /// Returns the value of a number, or `nil` if the text is no number or one out of range.
  ///
  /// It is an integer if written as one and in range, else a decimal if 38 digits hold it exactly, else the nearest
  /// double, or the decimal of that double's shortest text if there is one, because such a number is written as a
  /// decimal. A number beyond all doubles, or so close to zero that it would round to zero, is out of range.
  static func value(of text: String) -> Value? {
    // A keyword, so in any case; without a sign the parser reads it.
    if text.lowercased() == "-infinity" { return .double(-.infinity) }
    let isWhole = text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    if isWhole, let number = Int64(text) { return .integer(number) }
    // If one type cannot hold the number, the next is tried, so the errors are ignored.
    if let decimal = try? Value(text: text, type: .decimal) { return decimal }
    guard let double = try? Value(text: text, type: .double), double != .double(0) || isZero(text) else { return nil }
    return (try? Value(text: double.text, type: .decimal)) ?? double
  }

  /// Returns whether all digits before the exponent are zero.
  private static func isZero(_ text: String) -> Bool {
    text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.allSatisfy {
      !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0)
    }
  }

  /// Returns the text of a number that reads as the same value.
  static func text(of decimal: Decimal) -> String {
    let text = DecimalParts(decimal).description
    return text.contains(".") ? text : text + ".0"
  }
}
