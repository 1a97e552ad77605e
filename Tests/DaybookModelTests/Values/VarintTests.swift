import DaybookModel
import DaybookTestSupport
import Testing

/// Integers of variable length, whose bytes are made and read at once, beside a plain loop.
@Suite(.hangLimit) struct VarintTests {
  private func plainBytes(of value: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], value)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// Reads the integer at the start of bytes, and returns the offset after it; `nil` if it is not in its shortest form.
  private func plainValue(in bytes: [UInt8]) -> (value: UInt64, end: Int)? {
    var value: UInt64 = 0
    for (place, byte) in bytes.enumerated() {
      guard place < 9 || byte == 1, place == 0 || byte != 0 else { return nil }
      value |= UInt64(byte & 0x7f) << UInt64(7 * place)
      if byte < 0x80 { return (value, place + 1) }
    }
    return nil
  }

  private func check(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes.rawSpan)
    let expected = plainValue(in: bytes)
    do {
      let value = try reader.varint()
      guard value == expected?.value, reader.offset == expected?.end else {
        throw Mismatch("\(bytes) was read as \(value) and not as \(String(describing: expected))")
      }
    } catch is MalformedBytes {
      if let expected { throw Mismatch("\(bytes) is \(expected), and was not read") }
    }
  }

  private func check(_ value: UInt64) throws {
    let bytes = plainBytes(of: value)
    var made: [UInt8] = [7]
    made.appendVarint(value)
    guard made == [7] + bytes else { throw Mismatch("\(value) was written as \(made.dropFirst())") }
    for rest in [[], [0], [0xff], [UInt8](repeating: 0, count: 9), [UInt8](repeating: 0xff, count: 9)] {
      try check(bytes + rest)
    }
  }

  @Test func `integers of each length are written and read`() throws {
    for shift in 0..<UInt64(64) {
      for distance in UInt64(0)...3 {
        try check(1 << shift &+ distance)
        try check(1 << shift &- distance)
      }
    }
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      for _ in 0..<2_000 { try check(random.next() >> UInt64.random(in: 0..<64, using: &random)) }
    }
  }

  @Test func `any bytes are read as a plain loop reads them`() throws {
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      for _ in 0..<5_000 {
        let count = Int.random(in: 1...12, using: &random)
        try check((0..<count).map { _ in random.pick([0, 1, 0x7f, 0x80, 0x81, 0xff]) })
      }
    }
  }
}
