import DaybookTestSupport
import Foundation

@testable import DaybookModel

extension SeededRandom {
  /// Returns a double that is not an infinity: of any exponent, of few digits, or at a limit.
  mutating func finiteDouble() -> Double {
    switch number(0...6) {
    case 0: return Double(number(-1_000...1_000))
    case 1: return Double(number(-100_000...100_000)) / 100
    case 2:
      return pick([0, -0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0x1p62, 0x1p-65])
    case 3: return Double(bitPattern: next() >> 12) * (isOneIn(2) ? 1 : -1)
    case 4: return (isOneIn(2) ? 1 : -1) * Double(sign: .plus, exponent: number(-1074...1023), significand: 1)
    default:
      let exponent = UInt64(number(0...2046)) << 52
      return Double(bitPattern: next() & 0x800f_ffff_ffff_ffff | exponent)
    }
  }

  /// Returns a decimal that can be stored: of few digits, or of any number of digits and exponent.
  mutating func decimal() -> Decimal {
    if isOneIn(3) { return Decimal(number(-100_000...100_000)) / 100 }
    let digits = (UInt128(next()) << 64 | UInt128(next())) >> UInt128(number(0..<128))
    let parts = DecimalParts(isNegative: isOneIn(2), coefficient: digits, exponent: number(-128...127))
    return parts.isStorable ? parts.decimal : Decimal(number(0...9))
  }
}
