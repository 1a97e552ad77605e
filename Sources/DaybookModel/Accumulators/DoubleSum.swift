/// The exact sum of doubles, from which each one can be taken out again.
///
///     var sum = DoubleSum()
///     sum.add(1e100)
///     sum.add(1)
///     sum.remove(1e100)
///     try sum.value() // 1
///
/// It is a number with a fixed point and enough bits for 2^63 doubles of any size, so nothing is rounded before it is
/// read, and the order of the changes has no effect. Kulisch and Miranker, "The Arithmetic of the Digital Computer: A
/// New Approach" (1986), describe such an accumulator, and Neal, "Fast exact summation using small and large
/// superaccumulators" (2015), smaller ones. Here the sum has two parts. Usual numbers go into 128 bits, in units of
/// 2^-64; only a number that is not a multiple of the unit, or too large, needs the array of the whole range.
///
/// Infinities are counted apart. NaN, which only a damaged row can have, counts as an infinity of each sign.
package struct DoubleSum: Sendable {
  /// The part in units of 2^-64.
  private var near: Int128 = 0
  /// The part in units of 2^-1088, as limbs of 64 bits, then the numbers of infinities above and below zero.
  ///
  /// Empty until it is needed.
  private var far: [UInt64] = []

  package init() {}

  /// Bits for the greatest double, 2^63 of them, and the sign: 1,088 + 1,024 + 63 + 1.
  private static let limbCount = 35
  private static let (positives, negatives) = (limbCount, limbCount + 1)
  /// The limb in which the unit of the near part is the lowest bit.
  private static let nearLimb = 16
  /// The exponent of the unit of the far part.
  private static let farExponent = -1088

  /// Adds a number.
  ///
  /// - Complexity: O(1)
  package mutating func add(_ number: Double) { change(number.bitPattern, isRemoval: false) }

  /// Takes out a number that was added before.
  ///
  /// - Complexity: O(1)
  package mutating func remove(_ number: Double) { change(number.bitPattern, isRemoval: true) }

  private mutating func change(_ bits: UInt64, isRemoval: Bool) {
    let exponent = Int(bits >> 52 & 0x7ff)
    let fraction = bits & 0xf_ffff_ffff_ffff
    guard exponent != 0x7ff else { return changeInfinities(bits, isRemoval) }
    let significand = exponent == 0 ? fraction : fraction | 1 << 52
    guard significand != 0 else { return }
    let isNegative = (bits >> 63 == 1) != isRemoval
    // The number is the significand times 2^(exponent - 1075), where subnormal numbers have the exponent 1.
    let shift = max(exponent, 1) - 1011
    if shift <= 73, shift >= 0 || significand.trailingZeroBitCount >= -shift {
      let amount = shift >= 0 ? Int128(significand) &<< Int128(shift) : Int128(significand &>> UInt64(-shift))
      let (sum, isOver) = near.addingReportingOverflow(isNegative ? 0 &- amount : amount)
      if !isOver {
        near = sum
        return
      }
    }
    changeFar(significand, at: shift - 64 - DoubleSum.farExponent, isNegative)
  }

  private mutating func changeFar(_ significand: UInt64, at position: Int, _ isNegative: Bool) {
    reserveFar()
    let (index, shift) = (position >> 6, UInt64(position & 63))
    let (low, high) = (significand << shift, significand >> (64 - shift))
    Limbs.change(&far, by: low, at: index, isNegative, end: DoubleSum.limbCount, base: nil)
    Limbs.change(&far, by: high, at: index + 1, isNegative, end: DoubleSum.limbCount, base: nil)
  }

  private mutating func changeInfinities(_ bits: UInt64, _ isRemoval: Bool) {
    reserveFar()
    let number = Double(bitPattern: bits)
    let step: UInt64 = isRemoval ? .max : 1
    if number != -.infinity { far[DoubleSum.positives] &+= step }
    if number != .infinity { far[DoubleSum.negatives] &+= step }
  }

  private mutating func reserveFar() {
    if far.isEmpty { far = Array(repeating: 0, count: DoubleSum.limbCount + 2) }
  }
}

/// Reading the sum.
extension DoubleSum {
  /// Returns the sum, rounded once: to the nearest double, and to the even one of two.
  ///
  /// A sum of 0 is positive. One infinity, or several of one sign, are the sum.
  ///
  /// - Throws: `SumFault` for infinities of both signs, and if the sum rounds to a number beyond the greatest double.
  package func value() throws(SumFault) -> Double {
    guard far.isEmpty else { return try quotient(by: 1) }
    let magnitude = Double(rounding: near.magnitude) * 0x1p-64
    return near < 0 ? -magnitude : magnitude
  }

  /// Returns the exact sum divided by a number, rounded once.
  ///
  /// - Parameter count: From 1 to 2^63 - 1.
  /// - Throws: `SumFault`, as for ``value()``.
  package func quotient(by count: Int) throws(SumFault) -> Double {
    guard !far.isEmpty else { return Double(near, dividedBy: UInt64(count), exponent: -64) }
    if let infinity = try infinity() { return infinity }
    let (isNegative, magnitude) = parts()
    // The limb below the unit leaves bits after the last one that a double has, so that a quotient can be rounded.
    guard
      let result = Double(
        rounding: [0] + magnitude, dividedBy: UInt64(count), exponent: DoubleSum.farExponent - UInt64.bitWidth)
    else { throw .double }
    return isNegative ? -result : result
  }

  private func infinity() throws(SumFault) -> Double? {
    let (above, below) = infinities
    if above > 0, below > 0 { throw .infinities }
    return above > 0 ? .infinity : below > 0 ? -.infinity : nil
  }

  /// The numbers of infinities above and below zero.
  private var infinities: (above: UInt64, below: UInt64) {
    far.isEmpty ? (0, 0) : (far[DoubleSum.positives], far[DoubleSum.negatives])
  }

  /// The sign and the magnitude of both parts together, in units of the far part.
  private func parts() -> (isNegative: Bool, magnitude: [UInt64]) {
    let end = DoubleSum.limbCount
    var limbs = far.isEmpty ? Array(repeating: 0, count: end) : Array(far[..<end])
    let magnitude = near.magnitude
    let words = [UInt64(truncatingIfNeeded: magnitude), UInt64(truncatingIfNeeded: magnitude >> 64)]
    for (index, word) in words.enumerated() {
      Limbs.change(&limbs, by: word, at: DoubleSum.nearLimb + index, near < 0, end: end, base: nil)
    }
    let isNegative = limbs[end - 1] >> 63 == 1
    if isNegative { Limbs.negate(&limbs, base: nil) }
    return (isNegative, limbs)
  }
}

/// The stored form: the infinities, the power of two of the lowest bit, and from there on the sum.
extension DoubleSum {
  func append(to bytes: inout [UInt8]) {
    let (above, below) = infinities
    bytes.appendVarint(above)
    bytes.appendVarint(below)
    let (isNegative, magnitude) = parts()
    guard let first = magnitude.firstIndex(where: { $0 != 0 }) else { return bytes.appendVarint(0) }
    let lowest = first * 64 + magnitude[first].trailingZeroBitCount
    let shifted = magnitude.indices.dropFirst(lowest / 64).map { index -> UInt64 in
      let next = index + 1 < magnitude.count ? magnitude[index + 1] : 0
      let shift = UInt64(lowest % 64)
      return magnitude[index] >> shift | next << (64 - shift)
    }
    Limbs.append(shifted, isNegative: isNegative, to: &bytes)
    bytes.appendZigzag(Int64(lowest + DoubleSum.farExponent))
  }

  init(reading reader: inout ByteReader) throws(MalformedBytes) {
    let (above, below) = (try reader.varint(), try reader.varint())
    if above > 0 || below > 0 {
      reserveFar()
      (far[DoubleSum.positives], far[DoubleSum.negatives]) = (above, below)
    }
    let start = reader.offset
    let (limbs, isNegative) = try Limbs.read(from: &reader)
    guard let first = limbs.first else { return }
    let exponent = try reader.zigzag()
    let length = limbs.count * 64 - limbs[limbs.count - 1].leadingZeroBitCount
    // The lowest bit of all doubles is 2^-1074.
    guard first & 1 == 1, exponent >= -1074, exponent <= 1088,
      Int(exponent) - DoubleSum.farExponent + length < DoubleSum.limbCount * 64
    else { throw MalformedBytes(offset: start, expected: "a sum of doubles") }
    // Small sums return to the part that is changed faster.
    if limbs.count == 1, (-64...0).contains(exponent) {
      let magnitude = Int128(limbs[0]) &<< Int128(exponent + 64)
      if length + Int(exponent) < 63 {
        near = isNegative ? -magnitude : magnitude
        return
      }
    }
    reserveFar()
    let position = Int(exponent) - DoubleSum.farExponent
    for (index, limb) in limbs.enumerated() { changeFar(limb, at: position + index * 64, isNegative) }
  }
}
