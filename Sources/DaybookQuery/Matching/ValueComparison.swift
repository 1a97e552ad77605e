import DaybookModel
import Foundation

/// Comparisons of values that may be of different types.
///
/// Integers, doubles and decimals compare as numbers, without rounding one to the type of the other.
package enum ValueComparison {
  /// Returns whether both are the same value, or both null.
  package static func areEqual(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.integer, .double), (.double, .integer), (.integer, .decimal), (.decimal, .integer), (.double, .decimal),
      (.decimal, .double):
      compare(a, b, order: .codepoint) == 0
    default: a == b
    }
  }

  /// Compares two values.
  ///
  /// - Returns: A number below, equal to or above zero.
  package static func compare(_ a: Value, _ b: Value, order: StringOrder) -> Int {
    switch (a, b) {
    case (.integer(let a), .double(let b)): compare(a, b)
    case (.double(let a), .integer(let b)): -compare(b, a)
    case (.integer(let a), .decimal(let b)): compare(Decimal(a), b)
    case (.decimal(let a), .integer(let b)): compare(a, Decimal(b))
    case (.double(let a), .decimal(let b)): compare(a, b)
    case (.decimal(let a), .double(let b)): -compare(b, a)
    default: ValueOrder.compare(a, b, order: order)
    }
  }

  private static func compare(_ a: Decimal, _ b: Decimal) -> Int {
    ValueOrder.compare(.decimal(a), .decimal(b))
  }

  private static func compare(_ a: Int64, _ b: Double) -> Int {
    // Rounding keeps the order of numbers, so only equal rounded numbers need a further comparison.
    let rounded = Double(a)
    if rounded != b { return rounded < b ? -1 : 1 }
    // Every integer that rounds to 2^63 is less than it.
    guard let b = Int64(exactly: b) else { return -1 }
    return a < b ? -1 : a == b ? 0 : 1
  }

  private static func compare(_ a: Double, _ b: Decimal) -> Int {
    let parts = DecimalParts(b)
    let rounded = parts.nearestDouble
    if a != rounded { return a < rounded ? -1 : 1 }
    guard a != 0 || parts.coefficient != 0 else { return 0 }
    guard (a < 0) == parts.isNegative else { return a < 0 ? -1 : 1 }
    let order = ExactNumber(a.magnitude).compare(to: ExactNumber(parts))
    return a < 0 ? -order : order
  }
}

/// A positive number as limbs × 2^binary × 10^decimal, to compare double and decimal.
///
/// The comparison is exact. It is used only if both round to the same double, so the two are of similar size and the
/// products stay short.
private struct ExactNumber {
  /// 32 bits each, the least significant first.
  private var limbs: [UInt64]
  private var binary: Int
  private var decimal: Int

  init(_ number: Double) {
    let isSubnormal = number.exponentBitPattern == 0
    let significand = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    limbs = [significand & 0xffff_ffff, significand >> 32]
    binary = max(1, Int(number.exponentBitPattern)) - 1075
    decimal = 0
  }

  init(_ parts: DecimalParts) {
    limbs = (0..<4).map { UInt64(truncatingIfNeeded: (parts.coefficient >> (32 * $0)) & 0xffff_ffff) }
    binary = 0
    decimal = parts.exponent
  }

  func compare(to other: ExactNumber) -> Int {
    var (a, b) = (self, other)
    let (binary, decimal) = (min(a.binary, b.binary), min(a.decimal, b.decimal))
    a.multiply(by: 2, times: a.binary - binary)
    b.multiply(by: 2, times: b.binary - binary)
    a.multiply(by: 10, times: a.decimal - decimal)
    b.multiply(by: 10, times: b.decimal - decimal)
    let count = max(a.limbs.count, b.limbs.count)
    for index in (0..<count).reversed() {
      let (x, y) = (index < a.limbs.count ? a.limbs[index] : 0, index < b.limbs.count ? b.limbs[index] : 0)
      if x != y { return x < y ? -1 : 1 }
    }
    return 0
  }

  private mutating func multiply(by factor: UInt64, times: Int) {
    for _ in 0..<times {
      var carry: UInt64 = 0
      for index in limbs.indices {
        let product = limbs[index] * factor + carry
        limbs[index] = product & 0xffff_ffff
        carry = product >> 32
      }
      if carry != 0 { limbs.append(carry) }
    }
  }
}

/// The values of an `IN`, without duplicates.
package struct ValueList: Sendable {
  package let values: [Value]
  /// The same values, if looking one up by its hash is correct and faster.
  private let set: Set<Value>?

  /// Lists up to this length are searched linearly.
  private static let shortLength = 8

  init(_ values: [Value]) {
    var seen: Set<Value> = []
    self.values = values.filter { seen.insert($0).inserted }
    // An integer can equal a decimal, which has another hash.
    let hasOneForm = self.values.allSatisfy { !($0.literalType?.isNumeric ?? false) }
    set = hasOneForm && self.values.count > ValueList.shortLength ? seen : nil
  }

  func contains(_ value: Value) -> Bool {
    set?.contains(value) ?? values.contains { ValueComparison.areEqual($0, value) }
  }
}
