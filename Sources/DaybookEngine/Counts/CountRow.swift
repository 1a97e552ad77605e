import DaybookModel
import LMDB

/// The rows of the counts.
///
/// The key is the level, and the key of the index at which the stretch begins: a boundary, or the index's tag alone for
/// the first stretch. The value is the number of entries in the stretch, and of those whose keys were cut.
enum CountRow {
  /// The size of a key that was cut: such a key does not determine the place of its row.
  static let cutKeySize = 2 + SortKey.maximumTermsSize + ObjectID.byteCount
  static let tagSize = 2
  /// The size of the level and the tag.
  static let headSize = 1 + tagSize

  /// Builds the key of the row of a stretch.
  static func makeKey(_ level: Int, _ start: RawSpan, into key: inout [UInt8]) {
    key.removeAll(keepingCapacity: true)
    key.append(UInt8(truncatingIfNeeded: level))
    key.append(bytes: start)
  }

  /// A value as it is stored: two big-endian numbers.
  struct StoredCount: BitwiseCopyable {
    let all: UInt64
    let long: UInt64

    init(_ count: EntryCount) {
      (all, long) = (UInt64(count.all).bigEndian, UInt64(count.long).bigEndian)
    }
  }

  /// Reads a value, or returns `nil` for bytes that are not a valid value.
  static func count(in value: RawSpan) -> EntryCount? {
    guard value.byteCount == MemoryLayout<StoredCount>.size else { return nil }
    let all = unsafe UInt64(bigEndian: value.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
    let long = unsafe UInt64(bigEndian: value.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
    // Sums of such numbers do not overflow.
    guard all < 1 << 48, long <= all else { return nil }
    return EntryCount(all: Int(all), long: Int(long))
  }
}
