/// Arithmetic on whole numbers of any size, as digits to a base of up to 64 bits, the least significant first.
///
/// Numbers that may be negative are complements: a negative number is the power of the base after the last limb, minus
/// its magnitude. So adding and subtracting is one rule for all signs, and the limbs of equal sums are equal.
enum Limbs {
  /// Adds a limb at an index, and carries; what leaves the last limb is dropped.
  ///
  /// - Parameters:
  ///   - base: The base; `nil` for 2^64.
  ///   - end: The number of limbs.
  static func add(_ amount: UInt64, at index: Int, in limbs: inout [UInt64], end: Int, base: UInt64?) {
    var (amount, index) = (amount, index)
    while amount != 0, index < end {
      let (sum, isOver) = limbs[index].addingReportingOverflow(amount)
      if let base {
        // Two limbs below the base have a sum of 64 bits.
        let carries = sum >= base
        limbs[index] = carries ? sum - base : sum
        amount = carries ? 1 : 0
      } else {
        limbs[index] = sum
        amount = isOver ? 1 : 0
      }
      index += 1
    }
  }

  /// Subtracts a limb at an index, and borrows.
  static func subtract(_ amount: UInt64, at index: Int, in limbs: inout [UInt64], end: Int, base: UInt64?) {
    var (amount, index) = (amount, index)
    while amount != 0, index < end {
      let (difference, borrows) = limbs[index].subtractingReportingOverflow(amount)
      limbs[index] = borrows ? difference &+ (base ?? 0) : difference
      amount = borrows ? 1 : 0
      index += 1
    }
  }

  /// Adds a limb at an index, or subtracts it.
  @inline(__always)
  static func change(
    _ limbs: inout [UInt64], by amount: UInt64, at index: Int, _ isNegative: Bool, end: Int, base: UInt64?
  ) {
    if isNegative {
      subtract(amount, at: index, in: &limbs, end: end, base: base)
    } else {
      add(amount, at: index, in: &limbs, end: end, base: base)
    }
  }

  /// Negates a number in place.
  static func negate(_ limbs: inout [UInt64], base: UInt64?) {
    let greatest = base.map { $0 - 1 } ?? .max
    for index in limbs.indices { limbs[index] = greatest - limbs[index] }
    add(1, at: 0, in: &limbs, end: limbs.count, base: base)
  }

  /// Divides a number that is not negative.
  ///
  /// - Precondition: The divisor is below 2^63.
  /// - Returns: The remainder.
  static func divide(_ limbs: inout [UInt64], by divisor: UInt64, base: UInt64?) -> UInt64 {
    var remainder: UInt64 = 0
    for index in limbs.indices.reversed() {
      // The remainder is less than the divisor, so each quotient is less than the base.
      let (high, low) = base.map { remainder.multipliedFullWidth(by: $0) } ?? (remainder, 0)
      let (sum, carries) = low.addingReportingOverflow(limbs[index])
      (limbs[index], remainder) = divisor.dividingFullWidth((high + (carries ? 1 : 0), sum))
    }
    return remainder
  }
}
