/// Compresses the files of the page, once, as RFC 1952 and RFC 1951 describe.
///
/// The page's files are a third of a megabyte of text that repeats itself. The encoder finds repetitions with a table of
/// chains and writes one block with the fixed codes; the package needs no library for it. It is no general compressor: it
/// holds its input and output in memory.
struct GzipEncoder {
  private static let shortestMatch = 3
  private static let longestMatch = 258
  private static let greatestDistance = 32_768
  /// Earlier places that are tried for each repetition.
  private static let longestChain = 64

  private var output: [UInt8] = []
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  /// Returns the compressed form of bytes.
  static func encode(_ input: [UInt8]) -> [UInt8] {
    var encoder = GzipEncoder()
    // Signature, method 8, no flags, no time, no extra flags, unknown system.
    encoder.output = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    encoder.writeBlock(input)
    for number in [checksum(input), UInt32(truncatingIfNeeded: input.count)] {
      for shift in stride(from: 0, to: 32, by: 8) { encoder.output.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    return encoder.output
  }

  /// Returns the CRC-32 of bytes, with the polynomial of IEEE 802.3.
  private static func checksum(_ input: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in input {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return ~sum
  }

  private mutating func writeBlock(_ input: [UInt8]) {
    write(1, bits: 1)
    write(1, bits: 2)
    var newest: [UInt32: Int] = [:]
    var earlier = [Int](repeating: -1, count: input.count)
    var index = 0
    while index < input.count {
      let match = Self.longest(in: input, at: index, newest: newest, earlier: earlier)
      let length = match?.length ?? 1
      if let match {
        writeMatch(match)
      } else {
        writeSymbol(Int(input[index]))
      }
      for place in index..<(index + length) {
        guard let key = Self.key(input, place) else { continue }
        earlier[place] = newest[key] ?? -1
        newest[key] = place
      }
      index += length
    }
    writeSymbol(256)
    if bitCount > 0 { write(0, bits: 8 - bitCount) }
  }

  private static func key(_ input: [UInt8], _ index: Int) -> UInt32? {
    guard index + shortestMatch <= input.count else { return nil }
    return UInt32(input[index]) | UInt32(input[index + 1]) << 8 | UInt32(input[index + 2]) << 16
  }

  private static func longest(
    in input: [UInt8], at index: Int, newest: [UInt32: Int], earlier: [Int]
  ) -> (length: Int, distance: Int)? {
    guard let key = key(input, index), var place = newest[key] else { return nil }
    var best: (length: Int, distance: Int)?
    for _ in 0..<longestChain {
      guard place >= 0, index - place <= greatestDistance else { break }
      var length = 0
      while length < longestMatch, index + length < input.count, input[place + length] == input[index + length] {
        length += 1
      }
      if length > best?.length ?? (shortestMatch - 1) { best = (length, index - place) }
      place = earlier[place]
    }
    return best
  }

  /// Writes a number, its lowest bit first.
  private mutating func write(_ value: UInt32, bits count: UInt32) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Writes a code, its highest bit first.
  private mutating func writeCode(_ code: UInt32, bits count: UInt32) {
    for shift in (0..<count).reversed() { write((code >> shift) & 1, bits: 1) }
  }

  /// Writes a literal, the end of the block or a length in the fixed codes (RFC 1951, 3.2.6).
  private mutating func writeSymbol(_ symbol: Int) {
    let number = UInt32(symbol)
    switch symbol {
    case ..<144: writeCode(0x30 + number, bits: 8)
    case ..<256: writeCode(0x190 + number - 144, bits: 9)
    case ..<280: writeCode(number - 256, bits: 7)
    default: writeCode(0xc0 + number - 280, bits: 8)
    }
  }

  private mutating func writeMatch(_ match: (length: Int, distance: Int)) {
    if match.length == Self.longestMatch {
      writeSymbol(285)
    } else {
      let length = Self.grouped(match.length - 3, halves: 4)
      writeSymbol(257 + length.group)
      write(length.rest, bits: length.bits)
    }
    let distance = Self.grouped(match.distance - 1, halves: 2)
    writeCode(UInt32(distance.group), bits: 5)
    write(distance.rest, bits: distance.bits)
  }

  /// Returns the group of a number in a table whose groups double in size after each `halves` of them, and its place there.
  private static func grouped(_ number: Int, halves: Int) -> (group: Int, rest: UInt32, bits: UInt32) {
    guard number >= halves * 2 else { return (number, 0, 0) }
    let bits = (Int.bitWidth - 1 - number.leadingZeroBitCount) - halves.trailingZeroBitCount
    let group = halves * bits + (number >> bits)
    return (group, UInt32(number & ((1 << bits) - 1)), UInt32(bits))
  }
}
