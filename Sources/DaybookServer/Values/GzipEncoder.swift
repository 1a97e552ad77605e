#if Server

/// Compresses text as RFC 1952 and RFC 1951 describe: the files of the page, and answers with JSON.
///
/// The encoder finds repetitions with a table of chains and writes one block with codes made for it; the package needs no
/// library for it. It is no general compressor: it holds its input and output in memory. Its time is bounded by
/// O(*n* *c*) for *n* bytes and *c* places that are tried for each of them. With ``Effort/thorough`` it then chooses among
/// all repetitions that it found those which need the fewest bits, by the codes of the choice before.
struct GzipEncoder {
  /// How long the encoder looks for repetitions.
  enum Effort {
    /// For an answer that a client waits for.
    case quick
    /// For bytes that are compressed once and sent often.
    case thorough

    /// Earlier places that are tried for each repetition.
    var longestChain: Int { self == .quick ? 6 : 128 }
    /// A repetition of this length is taken without a look for a longer one.
    var sufficientLength: Int { self == .quick ? 32 : 258 }
    /// How often repetitions are chosen again, by the bits that they need.
    var choiceCount: Int { self == .quick ? 0 : 2 }
  }

  private static let shortestMatch = 3
  private static let longestMatch = 258
  private static let greatestDistance = 32_768
  private static let hashBits = 15

  private let effort: Effort
  private var output: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount: UInt64 = 0

  /// Returns the compressed form of bytes.
  static func encode(_ input: [UInt8], effort: Effort = .thorough) -> [UInt8] {
    var encoder = GzipEncoder(effort: effort)
    encoder.output.reserveCapacity(input.count / 4 + 64)
    // Signature, method 8, no flags, no time, no extra flags, unknown system.
    encoder.output = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    encoder.writeBlock(input)
    for number in [checksum(input), UInt32(truncatingIfNeeded: input.count)] {
      for shift in stride(from: 0, to: 32, by: 8) { encoder.output.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    return encoder.output
  }

  private init(effort: Effort) {
    self.effort = effort
  }

  /// The checksums of single bytes, with the polynomial of IEEE 802.3.
  private static let checksums: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in (sum >> 1) ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
  }

  /// Returns the CRC-32 of bytes.
  private static func checksum(_ input: [UInt8]) -> UInt32 {
    let table = checksums
    var sum = UInt32.max
    for byte in input { sum = (sum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    return ~sum
  }

  private mutating func writeBlock(_ input: [UInt8]) {
    var tokens = tokens(of: input)
    var codes = Codes(tokens)
    if effort.choiceCount > 0 {
      let repetitions = repetitions(in: input)
      for _ in 0..<effort.choiceCount {
        tokens = Self.cheapest(input, repetitions, codes)
        codes = Codes(tokens)
      }
    }
    write(1, bits: 1)
    write(2, bits: 2)
    writeLengths(codes.letters.lengths, codes.distances.lengths)
    for token in tokens { write(token, codes.letters, codes.distances) }
    write(codes.letters, 256)
    if bitCount > 0 { write(0, bits: 8 - bitCount) }
  }

  /// A byte, or a repetition of earlier ones.
  private struct Token {
    /// The byte, or 3 to 258 for the length of a repetition.
    let value: UInt16
    /// How far back the repetition begins; 0 for a byte.
    let distance: Int

    /// The symbol of the byte or of the length (RFC 1951, 3.2.5).
    var symbol: Int {
      if distance == 0 { return Int(value) }
      return value == longestMatch ? 285 : 257 + grouped(Int(value) - 3, halves: 4).group
    }
  }

  /// The codes of a block.
  private struct Codes {
    let letters: PrefixCode
    let distances: PrefixCode

    init(_ tokens: [Token]) {
      var (letters, distances) = ([Int](repeating: 0, count: 286), [Int](repeating: 0, count: 30))
      letters[256] = 1
      for token in tokens {
        letters[token.symbol] += 1
        if token.distance > 0 { distances[grouped(token.distance - 1, halves: 2).group] += 1 }
      }
      (self.letters, self.distances) = (PrefixCode(letters, longest: 15), PrefixCode(distances, longest: 15))
    }

    /// The bits of each byte, and of each length of a repetition.
    var costs: (bytes: [Int32], lengths: [Int32]) {
      let lengths = (0...longestMatch).map { length -> Int32 in
        guard length >= shortestMatch else { return 0 }
        let token = Token(value: UInt16(length), distance: 1)
        let rest = length == longestMatch ? 0 : grouped(length - 3, halves: 4).bits
        return bits(letters.lengths[token.symbol]) + Int32(rest)
      }
      return (letters.lengths[..<256].map(bits), lengths)
    }

    /// Returns the bits of a distance.
    func cost(ofDistance distance: Int) -> Int32 {
      let distance = grouped(distance - 1, halves: 2)
      return bits(distances.lengths[distance.group]) + Int32(distance.bits)
    }

    /// Returns the bits of a symbol; many for one that does not occur.
    private func bits(_ length: Int) -> Int32 { length == 0 ? 13 : Int32(length) }
  }

  /// The places in the input that begin with the same bytes.
  private struct Chains {
    /// The newest place of each hash.
    var newest = [Int32](repeating: -1, count: 1 << hashBits)
    /// For each place the one before it with the same hash.
    var earlier: [Int32]

    mutating func add(_ index: Int, of input: [UInt8]) {
      guard index + shortestMatch <= input.count else { return }
      let hash = hash(input, index)
      earlier[index] = newest[hash]
      newest[hash] = Int32(truncatingIfNeeded: index)
    }
  }

  private func tokens(of input: [UInt8]) -> [Token] {
    var chains = Chains(earlier: [Int32](repeating: -1, count: input.count))
    var tokens: [Token] = []
    tokens.reserveCapacity(input.count / 4)
    var index = 0
    while index < input.count {
      var match = (length: 0, distance: 0)
      forEachRepetition(in: input, at: index, chains) { match = ($0, $1) }
      tokens.append(
        match.length > 0
          ? Token(value: UInt16(match.length), distance: match.distance)
          : Token(value: UInt16(input[index]), distance: 0))
      for place in index..<index + max(1, match.length) { chains.add(place, of: input) }
      index += max(1, match.length)
    }
    return tokens
  }

  /// The repetitions that begin at each place, each longer than the one before it.
  private struct Repetitions {
    var all: [(length: Int, distance: Int)] = []
    /// For each place the end of its repetitions.
    var ends: [Int] = []
  }

  private func repetitions(in input: [UInt8]) -> Repetitions {
    var chains = Chains(earlier: [Int32](repeating: -1, count: input.count))
    var found = Repetitions()
    for index in input.indices {
      forEachRepetition(in: input, at: index, chains) { found.all.append(($0, $1)) }
      found.ends.append(found.all.count)
      chains.add(index, of: input)
    }
    return found
  }

  /// Returns the tokens that need the fewest bits with codes, from repetitions or shorter parts of them.
  private static func cheapest(_ input: [UInt8], _ repetitions: Repetitions, _ codes: Codes) -> [Token] {
    let bits = codes.costs
    // The fewest bits up to each place, and the token that ends there.
    var costs = [Int32](repeating: .max, count: input.count + 1)
    var last = [Token](repeating: Token(value: 0, distance: 0), count: input.count + 1)
    costs[0] = 0
    var number = 0
    for index in input.indices {
      let byte = costs[index] + bits.bytes[Int(input[index])]
      if byte < costs[index + 1] {
        (costs[index + 1], last[index + 1]) = (byte, Token(value: UInt16(input[index]), distance: 0))
      }
      var length = shortestMatch
      while number < repetitions.ends[index] {
        let repetition = repetitions.all[number]
        let cost = costs[index] + codes.cost(ofDistance: repetition.distance)
        while length <= repetition.length {
          if cost + bits.lengths[length] < costs[index + length] {
            costs[index + length] = cost + bits.lengths[length]
            last[index + length] = Token(value: UInt16(length), distance: repetition.distance)
          }
          length += 1
        }
        number += 1
      }
    }
    var tokens: [Token] = []
    var end = input.count
    while end > 0 {
      tokens.append(last[end])
      end -= last[end].distance == 0 ? 1 : Int(last[end].value)
    }
    return tokens.reversed()
  }

  /// Returns the hash of three bytes.
  private static func hash(_ input: [UInt8], _ index: Int) -> Int {
    let bytes = UInt32(input[index]) | UInt32(input[index + 1]) << 8 | UInt32(input[index + 2]) << 16
    return Int((bytes &* 0x9e37_79b1) >> UInt32(32 - hashBits))
  }

  /// Calls a closure with the length and the distance of each repetition that is longer than those tried before it.
  private func forEachRepetition(
    in input: [UInt8], at index: Int, _ chains: Chains, _ body: (_ length: Int, _ distance: Int) -> Void
  ) {
    guard index + Self.shortestMatch <= input.count else { return }
    var best = 0
    let greatest = min(Self.longestMatch, input.count - index)
    var place = Int(chains.newest[Self.hash(input, index)])
    var tries = effort.longestChain
    while tries > 0, place >= 0, index - place <= Self.greatestDistance {
      // Only a place that agrees one byte beyond the best so far can be longer.
      if best == 0 || input[place + best] == input[index + best] {
        var length = 0
        while length < greatest, input[index + length] == input[place + length] { length += 1 }
        if length >= Self.shortestMatch, length > best {
          best = length
          body(length, index - place)
          if length >= effort.sufficientLength || length == greatest { break }
        }
      }
      place = Int(chains.earlier[place])
      tries -= 1
    }
  }

  /// Writes a number, its lowest bit first.
  private mutating func write(_ value: UInt64, bits count: UInt64) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  private mutating func write(_ code: PrefixCode, _ symbol: Int) {
    write(UInt64(code.bits[symbol]), bits: UInt64(code.lengths[symbol]))
  }

  private mutating func write(_ token: Token, _ letters: PrefixCode, _ distances: PrefixCode) {
    write(letters, token.symbol)
    guard token.distance > 0 else { return }
    if token.value != Self.longestMatch {
      let length = Self.grouped(Int(token.value) - 3, halves: 4)
      write(length.rest, bits: length.bits)
    }
    let distance = Self.grouped(token.distance - 1, halves: 2)
    write(distances, distance.group)
    write(distance.rest, bits: distance.bits)
  }

  /// The order in which the lengths of the codes for lengths are written (RFC 1951, 3.2.7).
  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Writes the lengths of both codes, with runs of equal ones as one symbol.
  private mutating func writeLengths(_ letters: [Int], _ distances: [Int]) {
    let all = letters + distances
    var symbols: [(symbol: Int, rest: UInt64, bits: UInt64)] = []
    var index = 0
    while index < all.count {
      let zeros = all[index...].prefix(138).prefix { $0 == 0 }.count
      switch zeros {
      case ..<3:
        let repeated = index == 0 ? 0 : all[index...].prefix(6).prefix { $0 == all[index - 1] }.count
        symbols.append(repeated < 3 ? (all[index], 0, 0) : (16, UInt64(repeated - 3), 2))
        index += repeated < 3 ? 1 : repeated
      case ..<11:
        symbols.append((17, UInt64(zeros - 3), 3))
        index += zeros
      default:
        symbols.append((18, UInt64(zeros - 11), 7))
        index += zeros
      }
    }
    var counts = [Int](repeating: 0, count: 19)
    for symbol in symbols { counts[symbol.symbol] += 1 }
    let code = PrefixCode(counts, longest: 7)
    write(UInt64(letters.count - 257), bits: 5)
    write(UInt64(distances.count - 1), bits: 5)
    write(UInt64(Self.lengthOrder.count - 4), bits: 4)
    for symbol in Self.lengthOrder { write(UInt64(code.lengths[symbol]), bits: 3) }
    for symbol in symbols {
      write(code, symbol.symbol)
      write(symbol.rest, bits: symbol.bits)
    }
  }

  /// Returns the group of a number in a table whose groups double in size after each `halves` of them, and its place there.
  private static func grouped(_ number: Int, halves: Int) -> (group: Int, rest: UInt64, bits: UInt64) {
    guard number >= halves * 2 else { return (number, 0, 0) }
    let bits = (Int.bitWidth - 1 - number.leadingZeroBitCount) - halves.trailingZeroBitCount
    let group = halves * bits + (number >> bits)
    return (group, UInt64(number & ((1 << bits) - 1)), UInt64(bits))
  }
}

/// A code whose frequent symbols are short (Huffman), in the canonical form of RFC 1951, 3.2.2.
private struct PrefixCode {
  /// The number of bits of each symbol; 0 for one that does not occur.
  private(set) var lengths: [Int]
  /// The bits of each symbol, the first one lowest.
  private(set) var bits: [UInt32]

  /// - Parameters:
  ///   - counts: How often each symbol occurs.
  ///   - longest: The most bits of a symbol.
  init(_ counts: [Int], longest: Int) {
    var counts = counts
    // A code of less than two symbols is not complete, which readers refuse.
    for symbol in 0..<2 where counts.filter({ $0 > 0 }).count < 2 && counts[symbol] == 0 { counts[symbol] = 1 }
    lengths = Self.lengths(counts)
    // Counts that are nearer to each other give a code that is less deep.
    while lengths.contains(where: { $0 > longest }) {
      counts = counts.map { $0 == 0 ? 0 : $0 / 2 + 1 }
      lengths = Self.lengths(counts)
    }
    bits = [UInt32](repeating: 0, count: lengths.count)
    var next: UInt32 = 0
    for length in 1...longest {
      for symbol in lengths.indices where lengths[symbol] == length {
        bits[symbol] = (0..<length).reduce(0) { $0 << 1 | (next >> UInt32($1)) & 1 }
        next += 1
      }
      next <<= 1
    }
  }

  /// Joins the two rarest trees until one is left, and returns the depth of each symbol in it.
  private static func lengths(_ counts: [Int]) -> [Int] {
    var trees = counts.enumerated().filter { $0.element > 0 }.map { (count: $0.element, symbols: [$0.offset]) }
    trees.sort { $0.count > $1.count }
    var lengths = [Int](repeating: 0, count: counts.count)
    while let rarest = trees.popLast(), let other = trees.popLast() {
      let tree = (count: rarest.count + other.count, symbols: rarest.symbols + other.symbols)
      for symbol in tree.symbols { lengths[symbol] += 1 }
      let place = trees.lastIndex { $0.count >= tree.count }.map { $0 + 1 } ?? 0
      trees.insert(tree, at: place)
    }
    return lengths
  }
}

#endif
