#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A decimal taken apart: (-1)^sign × coefficient × 10^exponent, exact, and in one form only for each number.
///
/// The coefficient does not end in a zero, and zero is coefficient 0, exponent 0, not negative; so equal decimals have
/// equal parts. Foundation keeps `1` and `1.0`, and prints them, in one of several forms, which is why whatever is
/// stored, hashed or compared goes through these parts.
package struct DecimalParts: Hashable, Sendable {
  package let isNegative: Bool
  /// Below 10^38; ends in no zero unless it is zero.
  package let coefficient: UInt128
  /// From -128 to 127.
  package let exponent: Int

  /// The most digits that a coefficient may have.
  package static let maximumDigitCount = 38
  package static let exponents = -128...127
  static let limit: UInt128 = 100_000_000_000_000_000_000_000_000_000_000_000_000

  /// Brings a number to its one form.
  ///
  /// - Returns: Nil if it has more than 38 significant digits or its exponent is out of range.
  package init?(isNegative: Bool, coefficient: UInt128, exponent: Int) {
    guard coefficient != 0 else {
      self.isNegative = false
      self.coefficient = 0
      self.exponent = 0
      return
    }
    var coefficient = coefficient
    var exponent = exponent
    while coefficient % 10 == 0 {
      coefficient /= 10
      exponent += 1
    }
    guard coefficient < DecimalParts.limit, DecimalParts.exponents.contains(exponent) else { return nil }
    self.isNegative = isNegative
    self.coefficient = coefficient
    self.exponent = exponent
  }

  /// Takes a decimal apart.
  ///
  /// - Returns: Nil if it is not a number, or does not fit 38 digits and the exponents.
  package init?(_ decimal: Decimal) {
    // Foundation shows its 128-bit coefficient only as digits.
    guard !decimal.isNaN, let coefficient = UInt128(decimal.significand.magnitude.description) else { return nil }
    self.init(isNegative: decimal < 0, coefficient: coefficient, exponent: decimal.exponent)
  }

  /// The decimal, put together again.
  package var decimal: Decimal {
    let (high, low) = coefficient.quotientAndRemainder(dividingBy: DecimalParts.half)
    let magnitude = Decimal(UInt64(high)) * Decimal(UInt64(DecimalParts.half)) + Decimal(UInt64(low))
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
  }

  /// Half of the digits: both quotient and remainder of a coefficient fit 64 bits.
  private static let half: UInt128 = 10_000_000_000_000_000_000
}

extension DecimalParts: CustomStringConvertible {
  /// Plain digits without an exponent, as people write them.
  package var description: String {
    let digits = String(coefficient)
    let sign = isNegative ? "-" : ""
    if exponent >= 0 { return sign + digits + String(repeating: "0", count: exponent) }
    if digits.count <= -exponent { return sign + "0." + String(repeating: "0", count: -exponent - digits.count) + digits }
    return sign + digits.dropLast(-exponent) + "." + digits.suffix(-exponent)
  }
}
