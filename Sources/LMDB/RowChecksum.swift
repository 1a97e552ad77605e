import CChecksum
import CLMDB

/// The checksum that ends each row of a table with ``Table/hasChecksums``.
///
/// It is the CRC-32C (RFC 3720) of the size of the key, the key and the value, little-endian. It detects any damage
/// within 32 neighbouring bits, and other damage with a probability of all but one in 2³².
@usableFromInline
enum RowChecksum {
  /// The size of the checksum in bytes.
  @usableFromInline static let byteCount = 4

  static func compute(_ key: MDB_val, _ value: UnsafeRawPointer?, _ count: Int) -> UInt32 {
    // The size comes first, so that the boundary between key and value is covered too.
    var crc = unsafe daybook_crc32c(~UInt32(truncatingIfNeeded: key.mv_size), key.mv_data, key.mv_size)
    crc = unsafe daybook_crc32c(crc, value, count)
    return ~crc
  }

  /// Verifies and removes the checksum of a value that was read.
  ///
  /// - Returns: Whether the checksum matches; if not, the value is empty.
  @usableFromInline
  static func open(_ key: MDB_val, _ value: inout MDB_val) -> Bool {
    guard unsafe value.mv_size >= byteCount, let start = unsafe value.mv_data else {
      unsafe value.mv_size = 0
      return false
    }
    let count = unsafe value.mv_size - byteCount
    let written = unsafe UnsafeRawPointer(start).loadUnaligned(fromByteOffset: count, as: UInt32.self)
    let isWhole = unsafe UInt32(littleEndian: written) == compute(key, start, count)
    unsafe value.mv_size = isWhole ? count : 0
    return isWhole
  }

  /// Writes a value and its checksum into memory of `value.count + byteCount` bytes.
  static func seal(_ key: MDB_val, _ value: UnsafeRawBufferPointer, into room: UnsafeMutableRawPointer) {
    if let start = value.baseAddress { unsafe room.copyMemory(from: start, byteCount: value.count) }
    let checksum = unsafe compute(key, value.baseAddress, value.count).littleEndian
    unsafe room.storeBytes(of: checksum, toByteOffset: value.count, as: UInt32.self)
  }

  /// Puts an entry with a cursor or a transaction, adding a checksum if the table has them.
  ///
  /// - Parameter put: Calls LMDB with a key, a value and flags.
  @inline(__always)
  static func put(
    _ key: RawSpan, _ value: RawSpan, in table: Table, _ flags: UInt32,
    _ put: (inout MDB_val, inout MDB_val, UInt32) -> CInt
  ) -> CInt {
    unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var wanted = unsafe MDB_val(key)
        guard table.hasChecksums else {
          var plain = unsafe MDB_val(value)
          return unsafe put(&wanted, &plain, flags)
        }
        // LMDB searches for the row if it is to reserve the memory, even if the cursor stands there.
        if flags == UInt32(MDB_CURRENT) {
          return unsafe withUnsafeTemporaryAllocation(byteCount: value.count + byteCount, alignment: 8) { room in
            guard let start = room.baseAddress else { return MDB_BAD_VALSIZE }
            unsafe seal(wanted, value, into: start)
            var sealed = unsafe MDB_val(UnsafeRawBufferPointer(room))
            return unsafe put(&wanted, &sealed, flags)
          }
        }
        // LMDB reserves the memory and the caller fills it, which saves a copy.
        var room = unsafe MDB_val(mv_size: value.count + byteCount, mv_data: nil)
        let code = unsafe put(&wanted, &room, flags | UInt32(MDB_RESERVE))
        if code == 0, let start = unsafe room.mv_data { unsafe seal(MDB_val(key), value, into: start) }
        return code
      }
    }
  }
}
