#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decimal's parts: (-1)^sign × coefficient × 10^exponent, exact and unique per number.
///
/// The coefficient does not end in a zero, and zero is coefficient 0, exponent 0, not negative; so equal decimals have
/// equal parts. Foundation keeps a number in one of several forms (`1` and `1.0`), so everything that is stored, hashed
/// or ordered uses these parts.
package struct DecimalParts: Hashable, Sendable {
  package let isNegative: Bool
  /// The coefficient, which does not end in a zero unless it is zero.
  package let coefficient: UInt128
  package let exponent: Int

  /// The limit on the digits of a stored coefficient.
  package static let maximumDigitCount = 38
  /// The exponents that a stored decimal can have, as in Foundation.
  package static let storableExponents = -128...127
  private static let limit: UInt128 = 100_000_000_000_000_000_000_000_000_000_000_000_000

  /// Creates the unique parts of a number.
  package init(isNegative: Bool, coefficient: UInt128, exponent: Int) {
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
    self.isNegative = isNegative
    self.coefficient = coefficient
    self.exponent = exponent
  }

  /// Splits a decimal into its exact parts, whatever its number of digits.
  ///
  /// - Precondition: The decimal is a number; ``Value/check(type:)`` refuses others.
  package init(_ decimal: Decimal) {
    precondition(!decimal.isNaN, "a decimal that is not a number has no parts")
    // Foundation exposes its 128-bit coefficient only as digits.
    guard let coefficient = UInt128(decimal.significand.magnitude.description) else {
      preconditionFailure("the coefficient of \(decimal) is no whole number")
    }
    self.init(isNegative: decimal < 0, coefficient: coefficient, exponent: decimal.exponent)
  }

  /// Whether the number can be stored: at most 38 digits, and an exponent of a decimal.
  package var isStorable: Bool {
    coefficient < DecimalParts.limit && DecimalParts.storableExponents.contains(exponent)
  }

  /// The decimal with these parts; NaN unless ``isStorable``.
  package var decimal: Decimal {
    guard isStorable else { return .nan }
    let (high, low) = coefficient.quotientAndRemainder(dividingBy: DecimalParts.half)
    let magnitude = Decimal(UInt64(high)) * Decimal(UInt64(DecimalParts.half)) + Decimal(UInt64(low))
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
  }

  /// The divisor by which a coefficient's quotient and remainder both fit 64 bits.
  private static let half: UInt128 = 10_000_000_000_000_000_000
}

extension DecimalParts: CustomStringConvertible {
  /// Plain digits without an exponent.
  package var description: String {
    let digits = String(coefficient)
    let sign = isNegative ? "-" : ""
    if exponent >= 0 { return sign + digits + String(repeating: "0", count: exponent) }
    if digits.count <= -exponent {
      return sign + "0." + String(repeating: "0", count: -exponent - digits.count) + digits
    }
    return sign + digits.dropLast(-exponent) + "." + digits.suffix(-exponent)
  }
}

extension DecimalParts {
  /// The double that is nearest to the number.
  package var nearestDouble: Double {
    // Foundation's own conversion multiplies rounded powers of ten; the text form is rounded once.
    Double("\(isNegative ? "-" : "")\(coefficient)e\(exponent)") ?? .nan
  }
}
