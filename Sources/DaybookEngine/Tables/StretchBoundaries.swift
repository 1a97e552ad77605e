import DaybookModel

/// Decides at which keys of an index the stretches begin whose entries are counted.
///
/// The key itself decides, so the same keys have the same stretches in whatever order they were inserted and removed.
/// Each level has about as many stretches as the level below has boundaries with some more zero bits in their hash.
package struct StretchBoundaries: Hashable, Sendable {
  /// The number of zero bits that end the hash of a boundary of the lowest level.
  private let firstBits: Int
  /// The number of further zero bits for each higher level.
  private let nextBits: Int

  /// The boundaries of all stores: a part of the format of the counts.
  ///
  /// A stretch has 512 entries on average, and a stretch of a higher level 16 stretches of the level below. With smaller
  /// stretches a walk to a rank takes less time, and a write changes more rows.
  package static let standard = StretchBoundaries(firstBits: 9, nextBits: 4)

  /// Tests lower the numbers to divide few rows on many levels.
  package init(firstBits: Int, nextBits: Int) {
    precondition(firstBits >= 0 && nextBits > 0, "Each level has fewer stretches than the level below.")
    (self.firstBits, self.nextBits) = (firstBits, nextBits)
  }

  /// The limit on the levels: 2⁴¹ entries have one stretch of the highest on average.
  static let maximumLevelCount = 8

  /// The size of the longest key with a row of its own: the row's key has the level, too.
  private static let maximumKeySize = SortKey.maximumKeySize - 1

  /// Returns the number of levels at which a stretch begins at a key of an index, from the lowest; often 0.
  package func levelCount(of key: RawSpan) -> Int {
    guard key.byteCount <= StretchBoundaries.maximumKeySize else { return 0 }
    let zeros = StretchBoundaries.hash(of: key).trailingZeroBitCount
    guard zeros >= firstBits else { return 0 }
    return min(1 + (zeros - firstBits) / nextBits, StretchBoundaries.maximumLevelCount)
  }

  /// Returns the hash of a key: a part of the format, like the boundaries.
  ///
  /// Each eight bytes, little-endian, are mixed into it, and last the rest with zeros after it.
  static func hash(of key: RawSpan) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: key.byteCount)
    var offset = 0
    while offset + 8 <= key.byteCount {
      let word = unsafe key.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = mix(hash ^ UInt64(littleEndian: word))
      offset += 8
    }
    var rest: UInt64 = 0
    var shift = UInt64(0)
    while offset < key.byteCount {
      rest |= unsafe UInt64(key.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) << shift
      offset += 1
      shift += 8
    }
    return mix(mix(hash ^ rest))
  }

  /// Multiplies by an odd constant, and adds the high half of the product to the low half without carry.
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
