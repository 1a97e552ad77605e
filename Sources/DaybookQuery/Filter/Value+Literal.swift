import DaybookModel
import Foundation

extension Value {
  /// The value in a form that a filter's text can express.
  var asLiteral: Value {
    switch self {
    case .uuid(let id): .string(id.description)
    case .data(let bytes): .string(Data(bytes).base64EncodedString())
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
    case .uuid, .data: preconditionFailure("a literal has no such form")
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
