import DaybookModel
import Foundation

/// Sums and averages of numbers, in decimal digits by the rules of school.
///
/// Each double has finitely many decimal digits, and the reading of a double from text rounds once, so the results are
/// exact in another way than the one of the store.
package struct PlainSum {
  private var isNegative = false
  /// The digits of the sum's magnitude, the least significant first, of which `scale` are after the point.
  private var digits: [UInt8] = []
  private var scale = 0
  private var count = 0
  private var infinities: Set<Double> = []

  /// Adds the numbers among values; all others are ignored.
  package init(_ values: [Value]) {
    let texts = values.compactMap { PlainSum.text($0) }
    count = texts.count
    let finite = texts.filter { !$0.contains("inf") }
    infinities = Set(texts.filter { $0.contains("inf") }.map { $0.hasPrefix("-") ? -.infinity : .infinity })
    scale = finite.map { PlainSum.parts($0).fraction.count }.max() ?? 0
    let added = PlainSum.sum(of: finite.filter { !$0.hasPrefix("-") }, scale: scale)
    let subtracted = PlainSum.sum(of: finite.filter { $0.hasPrefix("-") }, scale: scale)
    isNegative = PlainSum.isLess(added, subtracted)
    digits = isNegative ? PlainSum.difference(subtracted, added) : PlainSum.difference(added, subtracted)
  }

  /// Returns the sum, or `nil` if the type has no such value.
  package func sum(as type: AttributeType) -> Value? {
    switch type {
    case .integer: return Int64(text(digits, scale)).map { .integer($0) }
    case .double: return infinities.isEmpty ? double(text(digits, scale)) : infinity
    default: return decimal(digits, exponent: -scale)
    }
  }

  /// Returns the average, which is null for no numbers, or `nil` if the type has no such value.
  package func average(of type: AttributeType) -> Value? {
    guard count > 0 else { return .null }
    if type != .decimal, !infinities.isEmpty { return infinity }
    // More digits than any number half way between two doubles has; the last one stands for all that follow.
    var (quotient, places, rest) = ([UInt8](), scale, 0)
    func divide(_ digit: UInt8) {
      rest = rest * 10 + Int(digit)
      quotient.append(UInt8(rest / count))
      rest %= count
    }
    for digit in digits.reversed() { divide(digit) }
    while rest != 0, places < PlainSum.placeCount {
      divide(0)
      places += 1
    }
    if rest != 0 {
      quotient.append(1)
      places += 1
    }
    let digits = Array(quotient.reversed())
    return type == .decimal ? rounded(digits, places) : double(text(digits, places))
  }

  private static let placeCount = 1_200

  private var infinity: Value? { infinities.count == 1 ? infinities.first.map { .double($0) } : nil }

  private func double(_ text: String) -> Value? {
    let number = Double(text)!
    return number.isInfinite ? nil : .double(number == 0 ? 0 : number)
  }

  private func text(_ digits: [UInt8], _ scale: Int) -> String {
    let padded = digits + Array(repeating: 0, count: max(scale + 1 - digits.count, 0))
    let text = padded.reversed().map { String($0) }
    let (whole, fraction) = (text.dropLast(scale).joined(), text.suffix(scale).joined())
    return (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Returns the decimal with exactly these digits.
  private func decimal(_ digits: [UInt8], exponent: Int) -> Value? {
    var (digits, exponent) = (digits[...], exponent)
    while digits.last == 0 { digits.removeLast() }
    while digits.first == 0 {
      digits.removeFirst()
      exponent += 1
    }
    if digits.isEmpty { return .decimal(0) }
    guard digits.count <= 38, (-128...127).contains(exponent) else { return nil }
    // Foundation reads at most 38 digits exactly.
    let text = digits.reversed().map { String($0) }.joined()
    return .decimal(Decimal(string: "\(isNegative ? "-" : "")\(text)e\(exponent)")!)
  }

  /// Returns the decimal that is nearest to digits.
  private func rounded(_ digits: [UInt8], _ places: Int) -> Value? {
    var digits = digits
    while digits.last == 0 { digits.removeLast() }
    let dropped = max(digits.count - 38, places - 128)
    if dropped <= 0 { return decimal(digits, exponent: -places) }
    if dropped > digits.count { return .decimal(0) }
    var kept = Array(digits.dropFirst(dropped))
    let half = digits[dropped - 1]
    let isMore = digits.prefix(dropped - 1).contains { $0 != 0 }
    if half > 5 || half == 5 && (isMore || (kept.first ?? 0) % 2 == 1) { kept = PlainSum.sum(kept, [1]) }
    return decimal(kept, exponent: dropped - places)
  }
}

/// Digits, the least significant first.
private extension PlainSum {
  static func text(_ value: Value) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .double(let number): number.isInfinite ? (number < 0 ? "-inf" : "inf") : String(format: "%.1074f", number)
    case .decimal(let number): "\(number)"
    default: nil
    }
  }

  static func parts(_ text: String) -> (whole: Substring, fraction: Substring) {
    let parts = text.drop { $0 == "-" }.split(separator: ".")
    var fraction = parts.count > 1 ? parts[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    return (parts[0], fraction)
  }

  static func sum(of texts: [String], scale: Int) -> [UInt8] {
    texts.reduce(into: []) { total, text in
      let (whole, fraction) = parts(text)
      let padded = whole + fraction + String(repeating: "0", count: scale - fraction.count)
      total = sum(total, padded.utf8.reversed().map { $0 - 48 })
    }
  }

  static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var (result, carry) = ([UInt8](), UInt8(0))
    for index in 0..<max(a.count, b.count) {
      let digit = (index < a.count ? a[index] : 0) + (index < b.count ? b[index] : 0) + carry
      result.append(digit % 10)
      carry = digit / 10
    }
    return carry == 0 ? result : result + [carry]
  }

  static func isLess(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    for index in (0..<max(a.count, b.count)).reversed() {
      let (x, y) = (index < a.count ? a[index] : 0, index < b.count ? b[index] : 0)
      if x != y { return x < y }
    }
    return false
  }

  /// Returns a difference that is not negative.
  static func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var (result, borrow) = ([UInt8](), UInt8(0))
    for index in a.indices {
      let taken = (index < b.count ? b[index] : 0) + borrow
      borrow = a[index] < taken ? 1 : 0
      result.append(a[index] + borrow * 10 - taken)
    }
    return result
  }
}
