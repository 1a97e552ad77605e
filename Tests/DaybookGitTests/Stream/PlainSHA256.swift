/// SHA-256 (FIPS 180-4), to compare listings with the sample's digests.
enum PlainSHA256 {
  private static let constants: [UInt32] = primes(64).map { fraction(of: cubeRoot(Double($0))) }
  private static let start: [UInt32] = primes(8).map { fraction(of: Double($0).squareRoot()) }

  private static func primes(_ count: Int) -> [Int] {
    Array((2...).lazy.filter { number in !(2..<number).contains { number % $0 == 0 } }.prefix(count))
  }

  /// Newton's method, down to the last bit.
  private static func cubeRoot(_ value: Double) -> Double {
    var root = value
    for _ in 0..<100 { root -= (root * root * root - value) / (3 * root * root) }
    return root
  }

  private static func fraction(of value: Double) -> UInt32 {
    UInt32((value - value.rounded(.down)) * 4_294_967_296)
  }

  static func hexDigest(_ message: [UInt8]) -> String {
    let zeros = (119 - message.count % 64) % 64
    let bits = UInt64(message.count) * 8
    let padded =
      message + [0x80] + [UInt8](repeating: 0, count: zeros)
      + (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    var state = start
    for block in stride(from: 0, to: padded.count, by: 64) { compress(padded[block..<block + 64], into: &state) }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words: [UInt32] = []
    for index in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
      let second = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var work = state
    for index in 0..<64 {
      let sum = rotate(work[4], 6) ^ rotate(work[4], 11) ^ rotate(work[4], 25)
      let choice = work[4] & work[5] ^ ~work[4] & work[6]
      let first = work[7] &+ sum &+ choice &+ constants[index] &+ words[index]
      let otherSum = rotate(work[0], 2) ^ rotate(work[0], 13) ^ rotate(work[0], 22)
      let majority = work[0] & work[1] ^ work[0] & work[2] ^ work[1] & work[2]
      work = [first &+ otherSum &+ majority] + work[0..<7]
      work[4] = work[4] &+ first
    }
    for index in 0..<8 { state[index] = state[index] &+ work[index] }
  }
}
