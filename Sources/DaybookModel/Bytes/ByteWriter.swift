#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Appending the forms that ``ByteReader`` reads.
///
/// An array that keeps its capacity when it is emptied needs no allocation, so the hot paths reuse one.
extension [UInt8] {
  /// Appends a big-endian integer of fixed width.
  @inlinable
  package mutating func appendFixed<Number: FixedWidthInteger>(_ value: Number) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends an unsigned integer, seven bits a byte, least significant first.
  @inlinable
  package mutating func appendVarint(_ value: UInt64) {
    if value >= 1 &<< 28, value < 1 &<< 56 { return appendLongVarint(value) }
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends an integer of 29 to 56 bits, such as a time, whose bytes are made at once.
  @usableFromInline
  mutating func appendLongVarint(_ value: UInt64) {
    // The groups of seven bits move to a byte each: first halves of 28 bits, then of 14.
    var word = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) &<< 4
    word = word & 0x0000_3fff_0000_3fff | (word & 0x0fff_c000_0fff_c000) &<< 2
    word = word & 0x007f_007f_007f_007f | (word & 0x3f80_3f80_3f80_3f80) &<< 1
    let count = (70 - value.leadingZeroBitCount) / 7
    word |= 0x8080_8080_8080_8080 & (1 &<< UInt64(8 &* (count - 1)) &- 1)
    Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Appends a signed integer so that small magnitudes are short.
  @inlinable
  package mutating func appendZigzag(_ value: Int64) {
    appendVarint(UInt64(bitPattern: (value &<< 1) ^ (value &>> 63)))
  }

  @inlinable
  package mutating func append(bytes: RawSpan) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  /// Appends a run of bytes after its length.
  @inlinable
  package mutating func appendRun(_ bytes: RawSpan) {
    appendVarint(UInt64(bytes.byteCount))
    append(bytes: bytes)
  }

  /// Appends text in UTF-8 after its length in bytes.
  @inlinable
  package mutating func appendText(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { units in
      appendVarint(UInt64(units.count))
      append(contentsOf: units)
    }
    if isDone != nil { return }
    // Only a string bridged from another language has no contiguous storage.
    appendVarint(UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  /// The bytes as a span.
  ///
  /// It is like `span.bytes`, which needs a newer system on Apple's platforms.
  @inlinable
  package var rawSpan: RawSpan {
    @_lifetime(borrow self)
    @inline(__always)
    get {
      // The address is valid as long as the array is borrowed: an array of integers always has contiguous storage.
      let bytes = withUnsafeBytes { $0 }
      return _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
    }
  }

  /// Copies the bytes of a span.
  @inlinable
  package init(_ bytes: RawSpan) {
    self = bytes.withUnsafeBytes { Array($0) }
  }
}

/// Returns whether two runs hold the same bytes.
@inlinable
package func equalBytes(_ a: RawSpan, _ b: RawSpan) -> Bool {
  a.byteCount == b.byteCount && compareBytes(a, b) == 0
}

/// Returns whether bytes begin with a prefix.
@inlinable
package func hasPrefix(_ bytes: RawSpan, _ prefix: RawSpan) -> Bool {
  bytes.byteCount >= prefix.byteCount && equalBytes(bytes.extracting(first: prefix.byteCount), prefix)
}

/// Compares runs as unsigned bytes from the left, in LMDB's order of keys.
///
/// A run that ends first is less.
///
/// - Returns: A number below, equal to or above zero.
@inlinable
package func compareBytes(_ a: RawSpan, _ b: RawSpan) -> Int {
  let common = Swift.min(a.byteCount, b.byteCount)
  let order = a.withUnsafeBytes { a in
    b.withUnsafeBytes { b -> Int in
      // Only an empty run has no address, and it equals the beginning of any other.
      guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
      return Int(memoryOrder(a, b, common))
    }
  }
  return order != 0 ? order : a.byteCount - b.byteCount
}

/// Compares the UTF-8 bytes of strings, as unsigned bytes from the left.
package func compareBytes(_ a: String, _ b: String) -> Int {
  let order = a.utf8.withContiguousStorageIfAvailable { a in
    b.utf8.withContiguousStorageIfAvailable { b in compareBytes(a.span.bytes, b.span.bytes) }
  }
  // Only a string bridged from another language has no contiguous storage.
  return (order ?? nil) ?? compareBytes(Array(a.utf8).rawSpan, Array(b.utf8).rawSpan)
}

@usableFromInline
func memoryOrder(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> CInt {
  memcmp(a, b, count)
}
