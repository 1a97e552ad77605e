#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The exact sum of decimals, from which each one can be taken out again.
///
/// It has two parts, as ``DoubleSum`` has. Decimals with up to 18 digits after the point go into 128 bits, in units of
/// 10^-18; only a number that is not a multiple of the unit, or too large, needs the array of the whole range.
package struct DecimalSum: Sendable {
  /// The part in units of 10^-18.
  private var near: Int128 = 0
  /// The part in units of 10^-144, as limbs of 18 decimal digits, then the number of values that are not numbers.
  ///
  /// Empty until it is needed.
  private var far: [UInt64] = []

  package init() {}

  private static let digitsPerLimb = 18
  private static let base: UInt64 = 1_000_000_000_000_000_000
  /// Digits for the greatest decimal, 2^63 of them, and the sign: 144 + 128 + 39 + 19 + 1.
  private static let limbCount = 19
  /// The limb whose unit is the unit of the near part.
  private static let nearLimb = 7
  private static let (nearExponent, farExponent) = (-18, -144)

  /// Adds a number.
  ///
  /// - Complexity: O(1)
  package mutating func add(_ number: Decimal) { change(number, isRemoval: false) }

  /// Takes out a number that was added before.
  ///
  /// - Complexity: O(1)
  package mutating func remove(_ number: Decimal) { change(number, isRemoval: true) }

  private mutating func change(_ number: Decimal, isRemoval: Bool) {
    guard !number.isNaN else {
      reserveFar()
      far[DecimalSum.limbCount] &+= isRemoval ? .max : 1
      return
    }
    let parts = DecimalParts(number)
    let isNegative = parts.isNegative != isRemoval
    let shift = parts.exponent - DecimalSum.nearExponent
    // A coefficient does not end in a zero, so a number with more digits after the point is no multiple of the unit.
    if shift >= 0, shift < DecimalSum.powers.count {
      let (scaled, isLarge) = parts.coefficient.multipliedReportingOverflow(by: DecimalSum.powers[shift])
      if !isLarge, let amount = Int128(exactly: scaled) {
        let (sum, isOver) = near.addingReportingOverflow(isNegative ? -amount : amount)
        if !isOver {
          near = sum
          return
        }
      }
    }
    reserveFar()
    DecimalSum.change(&far, by: parts.coefficient, at: parts.exponent - DecimalSum.farExponent, isNegative)
  }

  /// The powers of ten of 128 bits.
  private static let powers: [UInt128] = (0...38).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// Adds a coefficient, or subtracts it, at a decimal place.
  private static func change(_ limbs: inout [UInt64], by coefficient: UInt128, at place: Int, _ isNegative: Bool) {
    var (rest, carry, index) = (coefficient, UInt128(0), place / digitsPerLimb)
    let power = powers[place % digitsPerLimb]
    while rest != 0 || carry != 0 {
      let product = rest % UInt128(base) * power + carry
      let digits = UInt64(product % UInt128(base))
      Limbs.change(&limbs, by: digits, at: index, isNegative, end: limbCount, base: base)
      (rest, carry, index) = (rest / UInt128(base), product / UInt128(base), index + 1)
    }
  }

  private mutating func reserveFar() {
    if far.isEmpty { far = Array(repeating: 0, count: DecimalSum.limbCount + 1) }
  }
}

/// Reading the sum.
extension DecimalSum {
  /// Returns the exact sum.
  ///
  /// - Throws: `SumFault` if it has more than 38 digits, or an exponent that no decimal has.
  package func value() throws(SumFault) -> Decimal {
    guard !far.isEmpty else {
      return try DecimalSum.decimal(
        DecimalParts(isNegative: near < 0, coefficient: near.magnitude, exponent: DecimalSum.nearExponent))
    }
    let (isNegative, digits, _) = try digits(dividedBy: 1)
    let first = digits.firstIndex { $0 != 0 } ?? 0
    guard digits.count - first <= DecimalParts.maximumDigitCount else { throw .decimal }
    return try DecimalSum.decimal(isNegative, digits[first...])
  }

  /// Returns the exact sum divided by a number, rounded once to 38 digits, and to the even digit of two.
  ///
  /// A quotient has no digits after the 128th one after the point, because no decimal has them.
  ///
  /// - Parameter count: From 1 to 2^63 - 1.
  /// - Throws: `SumFault` if the quotient has an exponent that no decimal has.
  package func quotient(by count: Int) throws(SumFault) -> Decimal {
    let (isNegative, digits, remainder) = try digits(dividedBy: UInt64(count))
    // The unit of the far part is so small that all digits of a result are in the whole part of the quotient.
    let least = DecimalParts.storableExponents.lowerBound - DecimalSum.farExponent
    let place = max(digits.count - DecimalParts.maximumDigitCount, least)
    guard place <= digits.count else { return 0 }
    let kept = digits[place...]
    let half = digits[place - 1]
    let isMore = remainder != 0 || digits[..<(place - 1)].contains { $0 != 0 }
    let isOdd = (kept.first ?? 0) % 2 == 1
    return try DecimalSum.decimal(isNegative, kept, adding: half > 5 || half == 5 && (isMore || isOdd) ? 1 : 0)
  }

  /// Returns the decimal with some digits, the least significant first; their indexes are the places.
  private static func decimal(
    _ isNegative: Bool, _ digits: ArraySlice<UInt8>, adding carry: UInt128 = 0
  ) throws(SumFault) -> Decimal {
    let coefficient = digits.reversed().reduce(UInt128(0)) { $0 * 10 + UInt128($1) } + carry
    return try decimal(
      DecimalParts(isNegative: isNegative, coefficient: coefficient, exponent: digits.startIndex + farExponent))
  }

  private static func decimal(_ parts: DecimalParts) throws(SumFault) -> Decimal {
    guard parts.isStorable else { throw .decimal }
    return parts.decimal
  }

  /// Returns the digits of the sum's magnitude, or of its quotient, in units of the far part without leading zeros.
  private func digits(
    dividedBy divisor: UInt64
  ) throws(SumFault) -> (isNegative: Bool, digits: [UInt8], remainder: UInt64) {
    if notNumbers != 0 { throw .decimal }
    var (isNegative, limbs) = parts()
    let remainder = divisor == 1 ? 0 : Limbs.divide(&limbs, by: divisor, base: DecimalSum.base)
    var digits: [UInt8] = []
    for limb in limbs {
      var rest = limb
      for _ in 0..<DecimalSum.digitsPerLimb {
        digits.append(UInt8(rest % 10))
        rest /= 10
      }
    }
    digits.removeLast(digits.reversed().prefix { $0 == 0 }.count)
    return (isNegative, digits, remainder)
  }

  private var notNumbers: UInt64 { far.isEmpty ? 0 : far[DecimalSum.limbCount] }

  /// The sign and the magnitude of both parts together, in units of the far part.
  private func parts() -> (isNegative: Bool, magnitude: [UInt64]) {
    let end = DecimalSum.limbCount
    var limbs = far.isEmpty ? Array(repeating: 0, count: end) : Array(far[..<end])
    DecimalSum.change(&limbs, by: near.magnitude, at: DecimalSum.nearLimb * DecimalSum.digitsPerLimb, near < 0)
    let isNegative = limbs[end - 1] >= DecimalSum.base / 2
    if isNegative { Limbs.negate(&limbs, base: DecimalSum.base) }
    return (isNegative, limbs)
  }
}

/// The stored form: the values that are not numbers, the exponent, and the limbs of a coefficient without final zeros.
extension DecimalSum {
  func append(to bytes: inout [UInt8]) {
    bytes.appendVarint(notNumbers)
    let (isNegative, magnitude) = parts()
    var zeros = 0
    guard let first = magnitude.firstIndex(where: { $0 != 0 }) else { return bytes.appendVarint(0) }
    var lowest = magnitude[first]
    while lowest % 10 == 0 { (lowest, zeros) = (lowest / 10, zeros + 1) }
    // The digits move down, so that the coefficient begins in its first limb.
    let (low, high) = (UInt64(DecimalSum.powers[zeros]), UInt64(DecimalSum.powers[DecimalSum.digitsPerLimb - zeros]))
    var limbs = magnitude.indices.dropFirst(first).map { index -> UInt64 in
      let next = index + 1 < magnitude.count ? magnitude[index + 1] : 0
      return magnitude[index] / low + next % low * high
    }
    while limbs.last == 0 { limbs.removeLast() }
    bytes.appendVarint(UInt64(limbs.count) << 1 | (isNegative ? 1 : 0))
    bytes.appendZigzag(Int64(first * DecimalSum.digitsPerLimb + zeros + DecimalSum.farExponent))
    for limb in limbs { bytes.appendVarint(limb) }
  }

  init(reading reader: inout ByteReader) throws(MalformedBytes) {
    let count = try reader.varint()
    if count > 0 {
      reserveFar()
      far[DecimalSum.limbCount] = count
    }
    let start = reader.offset
    let header = try reader.varint()
    guard header > 0 else { return }
    let exponent = try reader.zigzag()
    guard header >> 1 > 0, header >> 1 < DecimalSum.limbCount, (-128...185).contains(exponent) else {
      throw MalformedBytes(offset: start, expected: "a sum of decimals")
    }
    var limbs: [UInt64] = []
    for _ in 0..<(header >> 1) { limbs.append(try reader.varint()) }
    let place = Int(exponent) - DecimalSum.farExponent
    let digitCount = (limbs.count - 1) * DecimalSum.digitsPerLimb + "\(limbs[limbs.count - 1])".utf8.count
    guard limbs[0] % 10 != 0, limbs[limbs.count - 1] != 0, limbs.allSatisfy({ $0 < DecimalSum.base }),
      place + digitCount < DecimalSum.limbCount * DecimalSum.digitsPerLimb
    else { throw MalformedBytes(offset: start, expected: "a sum of decimals") }
    put(limbs, at: place, isNegative: header & 1 == 1)
  }

  private mutating func put(_ limbs: [UInt64], at place: Int, isNegative: Bool) {
    let shift = place + DecimalSum.farExponent - DecimalSum.nearExponent
    // Small sums return to the part that is changed faster.
    if limbs.count == 1, (0...18).contains(shift) {
      let magnitude = Int128(limbs[0]) * Int128(DecimalSum.powers[shift])
      near = isNegative ? -magnitude : magnitude
      return
    }
    reserveFar()
    for (index, limb) in limbs.enumerated() {
      DecimalSum.change(&far, by: UInt128(limb), at: place + index * DecimalSum.digitsPerLimb, isNegative)
    }
  }
}
