import DaybookModel

/// The keys that order the targets of an ordered relationship.
///
/// A key is a number written in digits of base 255, each as one byte from 1 to 255; 0 ends it in a row's key, so a key
/// sorts before the longer keys that it begins. Between any two keys there is another one, so a target can be moved by
/// changing its key alone. A key never ends in the lowest digit: no key would fit before a key of lowest digits only.
///
/// The first four digits count: appending a target adds one to them, so keys stay at four bytes however long a list
/// grows at its ends. Repeated inserts at one place inside make keys longer, by a byte for about eight targets. If a
/// key would outgrow ``maximumSize``, the list is renumbered.
package enum OrderKey {
  /// In bytes.
  package static let maximumSize = 64
  private static let countingDigits = 4
  private static let base: UInt64 = 255
  private static let lowestDigit: UInt8 = 1

  /// Whether bytes are a key: 1 to ``maximumSize`` digits, of which the last is not the lowest one.
  package static func isKey(_ bytes: RawSpan) -> Bool {
    guard (1...maximumSize).contains(bytes.byteCount) else { return false }
    return unsafe bytes.withUnsafeBytes { unsafe !$0.contains(0) && $0.last != lowestDigit }
  }

  /// Returns a key between two others; `nil` stands for an end of the list.
  ///
  /// - Returns: A key that may be longer than ``maximumSize``.
  /// - Throws: `StoreError` with the code `damaged` if the two are not keys, or do not rise: no key may fit between
  ///   them.
  package static func between(_ lower: [UInt8]?, _ upper: [UInt8]?) throws -> [UInt8] {
    for key in [lower, upper] {
      if let key, !isKey(key.rawSpan) { throw damaged("\(hexadecimalText(of: key.rawSpan)) is not an order key") }
    }
    if let lower, let upper, !lower.lexicographicallyPrecedes(upper) {
      throw damaged(
        "two neighbours have the order keys \(hexadecimalText(of: lower.rawSpan)) and \(hexadecimalText(of: upper.rawSpan))"
      )
    }
    switch (lower, upper) {
    case (nil, nil): return counting(base * base * base * base / 2)
    case (let lower?, nil): return next(after: lower) ?? middle(lower, nil)
    case (nil, let upper?): return next(before: upper) ?? middle([], upper)
    case (let lower?, let upper?): return middle(lower, upper)
    }
  }

  private static func damaged(_ what: String) -> StoreError {
    StoreError(.damaged, "The order of a relationship is damaged: \(what).", advice: .verify)
  }

  /// Returns keys for a whole list, equally far from both ends.
  package static func numbering(_ count: Int) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    keys.reserveCapacity(count)
    var key: [UInt8]?
    for _ in 0..<count {
      let next = try between(key, nil)
      keys.append(next)
      key = next
    }
    return keys
  }

  private static func counting(_ number: UInt64) -> [UInt8] {
    var rest = number
    var digits = [UInt8](repeating: 1, count: countingDigits)
    for index in digits.indices.reversed() {
      digits[index] = UInt8(rest % base) + 1
      rest /= base
    }
    return digits
  }

  private static func number(_ key: [UInt8]) -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<countingDigits { number = number * base + (index < key.count ? UInt64(key[index]) - 1 : 0) }
    return number
  }

  private static func next(after key: [UInt8]) -> [UInt8]? {
    var next = number(key) + 1
    if next % base == 0 { next += 1 }
    return next < base * base * base * base ? counting(next) : nil
  }

  private static func next(before key: [UInt8]) -> [UInt8]? {
    let number = number(key)
    // A longer key leaves room directly before it, at its own first four digits.
    if key.count > countingDigits, number % base != 0 { return counting(number) }
    guard number > 1 else { return nil }
    let next = (number - 1) % base == 0 ? number - 2 : number - 1
    return next > 0 && next < number ? counting(next) : nil
  }

  /// Returns a key in the middle, computed digit by digit.
  ///
  /// The loop ends because `upper` is greater; the last digit is not the lowest one.
  private static func middle(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
    var key: [UInt8] = []
    var upper = upper
    var index = 0
    while true {
      let low = index < lower.count ? Int(lower[index]) - 1 : 0
      let high = upper.map { index < $0.count ? Int($0[index]) - 1 : 0 } ?? Int(base)
      if high - low > 1 {
        key.append(UInt8(low + (high - low) / 2 + 1))
        return key
      }
      key.append(UInt8(low + 1))
      if high > low { upper = nil }
      index += 1
    }
  }
}
