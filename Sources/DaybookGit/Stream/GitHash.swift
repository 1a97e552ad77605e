/// The name of a git object: 20 bytes of SHA-1, or 32 of SHA-256.
///
///     let hash = GitHash("d53404493965e7fa24968507f28ed46d6c37f702")
///
/// It is stored as four words rather than as text because a tree editor holds one for each file of a repository: this
/// needs no allocation, and comparing hashes compares words. `description` returns the lowercase text that git prints.
package struct GitHash: Hashable, Sendable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var fourth: UInt64 = 0
  /// 40 or 64; it distinguishes a short hash from a long one that ends in zeros.
  private var digitCount: UInt8 = 0

  /// Reads 40 or 64 hexadecimal digits, in either case.
  ///
  /// - Returns: `nil` for any other bytes.
  package init?(_ digits: some Collection<UInt8>) {
    guard digits.count == 40 || digits.count == 64 else { return nil }
    digitCount = UInt8(digits.count)
    var word: UInt64 = 0
    var index = 0
    for digit in digits {
      guard let value = Self.value(ofDigit: digit) else { return nil }
      word = word << 4 | UInt64(value)
      index += 1
      guard index % 16 == 0 || index == digits.count else { continue }
      setWord((index - 1) / 16, to: word)
      word = 0
    }
  }

  /// Reads 40 or 64 hexadecimal digits, in either case.
  package init?(_ text: String) {
    self.init(text.utf8)
  }

  private mutating func setWord(_ index: Int, to word: UInt64) {
    switch index {
    case 0: first = word
    case 1: second = word
    case 2: third = word
    default: fourth = word
    }
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension GitHash: CustomStringConvertible {
  /// The 40 or 64 lowercase digits that git prints.
  package var description: String {
    String(decoding: digits, as: UTF8.self)
  }

  /// The digits of `description`, as ASCII.
  package var digits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(Int(digitCount))
    for word in [first, second, third, fourth] {
      let rest = Int(digitCount) - digits.count
      guard rest > 0 else { break }
      for position in (0..<min(16, rest)).reversed() {
        let value = UInt8(truncatingIfNeeded: word >> (4 * UInt64(position)) & 0xF)
        digits.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
      }
    }
    return digits
  }
}
