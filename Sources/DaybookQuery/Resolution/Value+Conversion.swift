import DaybookModel
import Foundation

extension Value {
  /// The type of a literal by itself, or `nil` for null.
  var literalType: AttributeType? {
    switch self {
    case .null: nil
    case .string: .string
    case .integer: .integer
    case .double: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .date: .date
    case .uuid: .uuid
    case .data, .large: .data
    }
  }

  /// Returns the literal as a value of the compared type, or `nil` if it has no such value.
  ///
  /// A decimal becomes the nearest double in a comparison with doubles, as in any program text. Otherwise a number that
  /// the type cannot hold stays unchanged, and is compared exactly: `servings > 2.5`.
  func converted(to type: AttributeType) -> Value? {
    switch (self, type) {
    case (.null, _), (.boolean, .boolean), (.date, .date), (.string, .string), (.large, .data): self
    case (.integer, .integer), (.decimal, .decimal), (.double, .integer), (.double, .double), (.double, .decimal): self
    case (.decimal(let number), .integer): number.wholeNumber.map { .integer($0) } ?? self
    case (.integer(let number), .double): Double(exactly: number).map { .double($0) } ?? self
    case (.decimal(let number), .double): .double(DecimalParts(number).nearestDouble)
    case (.integer(let number), .decimal): .decimal(Decimal(number))
    // The caller reports the reason, because it knows the place of the text.
    case (.string(let text), .date), (.string(let text), .uuid), (.string(let text), .decimal),
      (.string(let text), .data):
      try? Value(text: text, type: type)
    default: nil
    }
  }
}

extension Decimal {
  /// The same number as an integer, or `nil` if it has a fraction or is too large.
  fileprivate var wholeNumber: Int64? {
    let parts = DecimalParts(self)
    guard (0...18).contains(parts.exponent), let coefficient = Int64(exactly: parts.coefficient) else { return nil }
    let power = (0..<parts.exponent).reduce(Int64(1)) { power, _ in power * 10 }
    let (magnitude, overflow) = coefficient.multipliedReportingOverflow(by: power)
    return overflow ? nil : parts.isNegative ? -magnitude : magnitude
  }
}

/// The messages about literals of the wrong type.
enum LiteralAdvice {
  static func message(for value: Value, type: AttributeType, name: String) -> String {
    var written = ""
    value.writeLiteral(to: &written)
    let shown = written.count > 60 ? written.prefix(60) + "…" : written
    return "“\(name)” is \(type.nounPhrase), and \(shown) is not; \(advice(for: type))"
  }

  private static func advice(for type: AttributeType) -> String {
    switch type {
    case .string: "put text in quotes"
    case .integer, .double: "write a number without quotes"
    case .decimal: "write a number"
    case .boolean: "write true or false"
    case .date: "write 2026-01-02 or 2026-01-02T03:04:05Z"
    case .uuid: "write a whole UUID in quotes"
    case .data: "write base64 in quotes"
    case .codable: "it can be compared with nil only"
    }
  }
}
