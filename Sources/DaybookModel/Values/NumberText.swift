/// The number in a decimal literal of any length: `1.50`, `15e-1` and `1.5` are equal.
///
/// The grammar is an optional sign, digits, an optional point followed by digits, and an optional exponent. It applies
/// to numbers everywhere outside JSON, whose grammar is a subset; the platform's parsers accept more, such as `0x1p3`,
/// or a number followed by other text.
struct NumberText: Equatable {
  let isNegative: Bool
  /// Without zeros at either end; empty for zero.
  let digits: [UInt8]
  /// The power of ten of the last digit; 0 for zero.
  let exponent: Int

  /// - Returns: `nil` if the text is not a number, or its exponent has more than nine digits.
  init?(_ text: some StringProtocol) {
    var rest = Substring(text).utf8
    var isNegative = false
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    guard var digits = NumberText.takeDigits(&rest) else { return nil }
    var exponent = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let fraction = NumberText.takeDigits(&rest) else { return nil }
      digits += fraction
      exponent -= fraction.count
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      guard let shift = NumberText.takeExponent(&rest) else { return nil }
      exponent += shift
    }
    guard rest.isEmpty else { return nil }
    self.init(isNegative: isNegative, digits: digits, exponent: exponent)
  }

  private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    let end = digits.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    self.digits = Array(digits[..<end].drop { $0 == 0 })
    self.exponent = end == 0 ? 0 : exponent + digits.count - end
    self.isNegative = isNegative && end != 0
  }

  /// Removes and returns the leading digits as numbers, or returns `nil` without digits.
  private static func takeDigits(_ text: inout Substring.UTF8View) -> [UInt8]? {
    let run = text.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    text = text.dropFirst(run.count)
    return run.isEmpty ? nil : run.map { $0 - UInt8(ascii: "0") }
  }

  private static func takeExponent(_ text: inout Substring.UTF8View) -> Int? {
    var isNegative = false
    if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      text.removeFirst()
    }
    guard let digits = takeDigits(&text) else { return nil }
    let significant = digits.drop { $0 == 0 }
    guard significant.count <= 9 else { return nil }
    let magnitude = significant.reduce(0) { $0 * 10 + Int($1) }
    return isNegative ? -magnitude : magnitude
  }
}

extension NumberText {
  /// The number as a decimal, or `nil` if a decimal cannot hold it.
  var decimalParts: DecimalParts? {
    guard digits.count <= DecimalParts.maximumDigitCount else { return nil }
    let coefficient = digits.reduce(UInt128(0)) { $0 * 10 + UInt128($1) }
    let parts = DecimalParts(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
    return parts.isStorable ? parts : nil
  }
}
