#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An entry in an arena: three lengths, a stamp, the key, and the value or the mark of a deletion.
///
/// A record's key never changes. Its value is overwritten if the new one fits.
@unsafe
struct MemoryRecord {
  private static let headerSize = 16
  private static let deletionMark = UInt32.max

  let address: UnsafeMutableRawPointer

  init(address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

  /// Copies key and value into an arena; `nil` as the value records a deletion.
  ///
  /// - Parameters:
  ///   - stamp: The number of the last savepoint before the record was made.
  ///   - room: The number of extra bytes for a longer value to overwrite this one.
  init(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, stamp: UInt32, room: Int = 0,
    in arena: inout MemoryArena
  ) {
    let valueCount = unsafe value?.count ?? 0
    precondition(key.count < Int(UInt32.max), "A key is shorter than 4 GiB")
    precondition(valueCount < Int(UInt32.max), "A value is shorter than 4 GiB")
    let capacity = min(valueCount + room, Int(UInt32.max))
    unsafe address = unsafe arena.allocate(Self.headerSize + key.count + capacity)
    unsafe address.storeBytes(of: UInt32(key.count), as: UInt32.self)
    unsafe address.storeBytes(of: UInt32(capacity), toByteOffset: 8, as: UInt32.self)
    unsafe address.storeBytes(of: stamp, toByteOffset: 12, as: UInt32.self)
    if let source = key.baseAddress, key.count > 0 { unsafe memcpy(address + Self.headerSize, source, key.count) }
    unsafe store(value)
  }

  @inline(__always)
  var key: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: address + Self.headerSize, count: keyCount)
  }

  @inline(__always)
  var value: UnsafeRawBufferPointer {
    let mark = unsafe valueMark
    let count = unsafe mark == Self.deletionMark ? 0 : Int(mark)
    return unsafe UnsafeRawBufferPointer(start: address + Self.headerSize + keyCount, count: count)
  }

  var isDeletion: Bool { unsafe valueMark == Self.deletionMark }

  /// Overwrites the value if the new one fits; returns whether it did.
  func replaceValue(_ value: UnsafeRawBufferPointer?) -> Bool {
    guard unsafe value?.count ?? 0 <= capacity else { return false }
    unsafe store(value)
    return true
  }

  private func store(_ value: UnsafeRawBufferPointer?) {
    guard let value = unsafe value else {
      unsafe address.storeBytes(of: Self.deletionMark, toByteOffset: 4, as: UInt32.self)
      return
    }
    // The new value may be a piece of the old one.
    if let source = value.baseAddress, value.count > 0 {
      unsafe memmove(address + Self.headerSize + keyCount, source, value.count)
    }
    unsafe address.storeBytes(of: UInt32(value.count), toByteOffset: 4, as: UInt32.self)
  }

  @inline(__always)
  private var keyCount: Int { unsafe Int(address.load(as: UInt32.self)) }
  @inline(__always)
  private var valueMark: UInt32 { unsafe address.load(fromByteOffset: 4, as: UInt32.self) }
  var capacity: Int { unsafe Int(address.load(fromByteOffset: 8, as: UInt32.self)) }
  var stamp: UInt32 { unsafe address.load(fromByteOffset: 12, as: UInt32.self) }
}

/// Compares keys as LMDB does: byte by byte, and a prefix sorts before the longer key.
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let count = min(left.count, right.count)
  let order = unsafe count == 0 ? 0 : Int(memcmp(left.baseAddress!, right.baseAddress!, count))
  return order != 0 ? order : left.count - right.count
}
