import DaybookModel
import Foundation

/// Numbers as a filter's text writes them.
enum NumberText {
  /// The value of a number: an integer if it is written as one and fits, else a decimal if 38 digits hold it exactly, else
  /// the nearest double, which is the decimal of its shortest text where there is one: as such it is written. Nil if the
  /// text is no number, one beyond all doubles, or one so close to zero that only zero would be left of it.
  static func value(of text: String) -> Value? {
    // A keyword, so in any case; without a sign it is the parser's.
    if text.lowercased() == "-infinity" { return .double(-.infinity) }
    let isWhole = text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    if isWhole, let number = Int64(text) { return .integer(number) }
    // What one type cannot hold the next is tried for, so that the errors are of no use.
    if let decimal = try? Value(text: text, type: .decimal) { return decimal }
    guard let double = try? Value(text: text, type: .double), double != .double(0) || isZero(text) else { return nil }
    return (try? Value(text: double.text, type: .decimal)) ?? double
  }

  /// Whether no digit before the exponent is other than zero.
  private static func isZero(_ text: String) -> Bool {
    text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.allSatisfy {
      !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0)
    }
  }

  /// The text of a number which reads as the same value.
  static func text(of decimal: Decimal) -> String {
    let text = DecimalParts(decimal).description
    return text.contains(".") ? text : text + ".0"
  }
}
