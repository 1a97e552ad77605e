/// The bytes of whole numbers: twice the number of the magnitude's bytes, plus 1 for a negative number, and the magnitude.
///
/// The magnitude is big-endian and without leading zeros, and 0 has no bytes and no sign. So equal numbers have equal
/// bytes.
extension Limbs {
  /// Appends a number.
  ///
  /// - Parameter limbs: The magnitude.
  static func append(_ limbs: [UInt64], isNegative: Bool, to bytes: inout [UInt8]) {
    var magnitude: [UInt8] = []
    for limb in limbs.reversed() where !magnitude.isEmpty || limb != 0 { magnitude.appendFixed(limb) }
    magnitude.removeFirst(magnitude.prefix { $0 == 0 }.count)
    bytes.appendVarint(UInt64(magnitude.count) << 1 | (isNegative ? 1 : 0))
    bytes += magnitude
  }

  /// Reads a number.
  ///
  /// - Returns: The magnitude without leading zeros; empty for 0.
  static func read(from reader: inout ByteReader) throws(MalformedBytes) -> (limbs: [UInt64], isNegative: Bool) {
    let start = reader.offset
    let header = try reader.varint()
    guard header >> 1 <= maximumByteCount, header != 1 else {
      throw MalformedBytes(offset: start, expected: "a number")
    }
    var limbs: [UInt64] = []
    var magnitude = [UInt8](try reader.take(Int(header >> 1)))[...]
    guard magnitude.first != 0 else {
      throw MalformedBytes(offset: start, expected: "a number in its shortest form")
    }
    while !magnitude.isEmpty {
      limbs.append(magnitude.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
      magnitude = magnitude.dropLast(8)
    }
    return (limbs, header & 1 == 1)
  }

  /// The bytes of the greatest sum of doubles.
  private static let maximumByteCount = 280
}
