extension Double {
  /// Creates the double that is nearest to a quotient of a whole number and a power of two, the even one of two.
  ///
  /// - Parameters:
  ///   - limbs: The number, the least significant limb first.
  ///   - divisor: From 1 to 2^63 - 1. If it is not 1, the whole part of the quotient must have more bits than the result:
  ///     the lowest bit is below 2^-1074, or the number has 118 bits or more.
  ///   - exponent: The power of two of the lowest bit.
  /// - Returns: `nil` if the quotient rounds to a number beyond the greatest double.
  init?(rounding limbs: [UInt64], dividedBy divisor: UInt64 = 1, exponent: Int) {
    var limbs = limbs
    let remainder = divisor == 1 ? 0 : Limbs.divide(&limbs, by: divisor, base: nil)
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else {
      self = 0
      return
    }
    let length = top * 64 + 64 - limbs[top].leadingZeroBitCount
    // The place of the significand's last bit; subnormal numbers have fewer bits.
    let place = Swift.max(length - 53, -1074 - exponent)
    var significand = Double.bits(of: limbs, from: place)
    if place > 0 {
      let isHalf = Double.bits(of: limbs, from: place - 1) & 1 == 1
      let isMore = remainder != 0 || Double.hasBits(limbs, below: place - 1)
      if isHalf, isMore || significand & 1 == 1 { significand += 1 }
    }
    // A normal significand has the bit that the format leaves out, and so adds 1 to the exponent; a carry adds it too.
    // The last bit of the greatest double is 2^971.
    guard place + exponent <= 971 else { return nil }
    self.init(bitPattern: UInt64(place + exponent + 1074) << 52 + significand)
    if !isFinite { return nil }
  }

  /// Creates the double that is nearest to a number, the even one of two.
  init(rounding number: UInt128) {
    // The library's conversion works bit by bit. The lowest of 64 bits stands for all bits that it leaves out, so that
    // the conversion from 64 bits rounds as it would with them.
    let shift = Swift.max(64 - number.leadingZeroBitCount, 0)
    let kept = UInt64(truncatingIfNeeded: number >> UInt128(shift))
    let isMore = kept != 0 && UInt128(kept) << UInt128(shift) != number
    self = Double(isMore ? kept | 1 : kept) * Double(sign: .plus, exponent: shift, significand: 1)
  }

  /// Creates the double that is nearest to a quotient, the even one of two.
  ///
  /// - Parameters:
  ///   - number: The number, in units of a power of two.
  ///   - divisor: From 1 to 2^63 - 1.
  ///   - exponent: The power of two, from -64 to 0.
  init(_ number: Int128, dividedBy divisor: UInt64, exponent: Int) {
    let magnitude = number.magnitude
    // With 128 bits more, the whole part of the quotient has more bits than a double.
    let limbs = [0, 0, UInt64(truncatingIfNeeded: magnitude), UInt64(truncatingIfNeeded: magnitude >> 64)]
    guard let quotient = Double(rounding: limbs, dividedBy: divisor, exponent: exponent - 128) else {
      preconditionFailure("no number of 128 bits is beyond the doubles")
    }
    self = number < 0 ? -quotient : quotient
  }

  /// Returns 64 bits from a place on; places below 0 have zeros.
  private static func bits(of limbs: [UInt64], from place: Int) -> UInt64 {
    if place < 0 { return limbs[0] << UInt64(-place) }
    let (index, shift) = (place / 64, UInt64(place % 64))
    let low = index < limbs.count ? limbs[index] >> shift : 0
    return index + 1 < limbs.count ? low | limbs[index + 1] << (64 - shift) : low
  }

  private static func hasBits(_ limbs: [UInt64], below place: Int) -> Bool {
    guard place > 0 else { return false }
    let (index, shift) = (place / 64, UInt64(place % 64))
    if limbs.prefix(index).contains(where: { $0 != 0 }) { return true }
    return index < limbs.count && limbs[index] & (1 << shift - 1) != 0
  }
}
