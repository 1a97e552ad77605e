/// A decoding error: the bytes end early, or the format does not allow them.
///
/// The bytes come from a file, a pipe or a socket, so this is an error and never a trap.
@usableFromInline
package struct MalformedBytes: Error, Hashable, CustomStringConvertible {
  /// The offset of the fault in the bytes being read.
  package let offset: Int
  /// The expected content at the offset.
  package let expected: String

  @usableFromInline
  package init(offset: Int, expected: String) {
    self.offset = offset
    self.expected = expected
  }

  /// Creates the error for missing bytes; never inlined, so that a reader's fast path stays short.
  @usableFromInline
  @inline(never)
  init(offset: Int, expectedByteCount count: Int) {
    self.init(offset: offset, expected: "\(count) bytes")
  }

  @usableFromInline package var description: String { "expected \(expected) at byte \(offset)" }
}

/// Reads numbers and runs of bytes from start to end, never past the end.
///
/// It copies no bytes: the result of ``take(_:)`` borrows the reader's bytes.
@usableFromInline
package struct ByteReader: ~Escapable, BitwiseCopyable {
  @usableFromInline package let bytes: RawSpan
  @usableFromInline package internal(set) var offset = 0

  @inlinable
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan) {
    self.bytes = bytes
  }

  @inlinable
  package var isAtEnd: Bool { offset == bytes.byteCount }

  @inlinable
  package var remaining: Int { bytes.byteCount &- offset }

  @inlinable
  @inline(__always)
  package mutating func byte() throws(MalformedBytes) -> UInt8 {
    guard offset < bytes.byteCount else { throw MalformedBytes(offset: offset, expected: "a byte") }
    let value = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    advance(by: 1)
    return value
  }

  /// Reads a big-endian integer of fixed width.
  @inlinable
  @inline(__always)
  package mutating func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(MalformedBytes) -> Number {
    let size = MemoryLayout<Number>.size
    guard remaining >= size else { throw MalformedBytes(offset: offset, expectedByteCount: size) }
    let value = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self)
    advance(by: size)
    return Number(bigEndian: value)
  }

  /// Reads an unsigned integer of variable length: seven bits a byte, least significant first.
  @inlinable
  @inline(__always)
  package mutating func varint() throws(MalformedBytes) -> UInt64 {
    let first = try byte()
    if first < 0x80 { return UInt64(first) }
    // Two bytes hold the headers of most fields.
    if offset < bytes.byteCount {
      let second = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if second &- 1 < 0x7f {
        advance(by: 1)
        return UInt64(first & 0x7f) | UInt64(second) &<< 7
      }
    }
    let (value, end) = try ByteReader.longVarint(in: bytes, at: offset &- 1)
    offset = end
    return value
  }

  /// Reads a variable-length integer of more than one byte.
  ///
  /// The method is static: a reader whose address no call takes stays in registers.
  ///
  /// - Parameter start: The offset of the first byte, which exists.
  /// - Returns: The integer, and the offset of the byte after it.
  @usableFromInline
  static func longVarint(in bytes: RawSpan, at start: Int) throws(MalformedBytes) -> (value: UInt64, end: Int) {
    if start &+ 8 <= bytes.byteCount {
      // The first byte without the highest bit is the last one, and no zero in the shortest form.
      let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
      let count = (~word & 0x8080_8080_8080_8080).trailingZeroBitCount / 8 &+ 1
      if count <= 8, word &>> UInt64(8 &* (count &- 1)) & 0xff != 0 {
        var value = word & (.max &>> UInt64(64 &- 8 &* count)) & 0x7f7f_7f7f_7f7f_7f7f
        // The groups of seven bits move together: pairs of them, then pairs of 14 and of 28 bits.
        value = value & 0x007f_007f_007f_007f | (value & 0x7f00_7f00_7f00_7f00) &>> 1
        value = value & 0x0000_3fff_0000_3fff | (value & 0x3fff_0000_3fff_0000) &>> 2
        value = value & 0x0fff_ffff | (value & 0x0fff_ffff_0000_0000) &>> 4
        return (value, start &+ count)
      }
    }
    var reader = ByteReader(bytes)
    reader.offset = start
    var value = UInt64(try reader.byte() & 0x7f)
    var shift: UInt64 = 7
    while true {
      let next = try reader.byte()
      // The tenth byte holds one bit; a zero as the last byte would be a second encoding of the same number.
      guard shift < 63 || next == 1, next != 0 else {
        throw MalformedBytes(offset: reader.offset, expected: "a variable-length integer in its shortest form")
      }
      value |= UInt64(next & 0x7f) &<< shift
      if next < 0x80 { return (value, reader.offset) }
      shift &+= 7
    }
  }

  /// Reads a signed integer written by ``Swift/Array/appendZigzag(_:)``.
  @inlinable
  @inline(__always)
  package mutating func zigzag() throws(MalformedBytes) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: (value &>> 1) ^ (0 &- (value & 1)))
  }

  /// Reads a variable-length integer that must fit an `Int`: a length or a count.
  @inlinable
  @inline(__always)
  package mutating func count() throws(MalformedBytes) -> Int {
    let value = try varint()
    guard let count = Int(exactly: value) else { throw MalformedBytes(offset: offset, expected: "a count") }
    return count
  }

  /// Borrows the next `count` bytes.
  @inlinable
  @inline(__always)
  @_lifetime(copy self)
  package mutating func take(_ count: Int) throws(MalformedBytes) -> RawSpan {
    guard count >= 0, count <= remaining else { throw MalformedBytes(offset: offset, expectedByteCount: count) }
    let start = offset
    advance(by: count)
    return run(from: start)
  }

  /// Borrows the bytes from an offset that was read before up to the present one.
  @inlinable
  @inline(__always)
  @_lifetime(copy self)
  package func run(from start: Int) -> RawSpan {
    assert(start >= 0 && start <= offset && offset <= bytes.byteCount)
    // The offset only grows, and each step was compared with the end.
    return bytes.extracting(unchecked: Range(uncheckedBounds: (start, offset)))
  }

  /// Borrows a run of bytes, which follows its length.
  @inlinable
  @inline(__always)
  @_lifetime(copy self)
  package mutating func run() throws(MalformedBytes) -> RawSpan {
    try take(count())
  }

  /// Reads text, which follows its length in bytes; throws if it is not UTF-8.
  package mutating func text() throws(MalformedBytes) -> String {
    let start = offset
    guard let text = String(validating: try run()) else {
      throw MalformedBytes(offset: start, expected: "text in UTF-8")
    }
    return text
  }

  /// Moves to an offset, such as the offset of a byte read before.
  @inlinable
  package mutating func move(to offset: Int) {
    precondition(offset >= 0 && offset <= bytes.byteCount, "There is no byte \(offset).")
    self.offset = offset
  }

  @inlinable
  mutating func advance(by count: Int) {
    offset &+= count
  }
}

extension String {
  /// Decodes bytes as text, or returns `nil` if they are not UTF-8.
  package init?(validating bytes: RawSpan) {
    // Decoding with repair and comparing takes a third of the time of the library's validation: bytes that are not
    // UTF-8 always change in the repair.
    var text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let isSame = text.withUTF8 { equalBytes($0.span.bytes, bytes) }
    guard isSame else { return nil }
    self = text
  }
}

extension RawSpan {
  /// Whether the bytes are text in UTF-8.
  var isUTF8: Bool {
    var offset = 0
    while offset &+ 8 <= byteCount {
      let word = unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return String(validating: self) != nil }
      offset &+= 8
    }
    while offset < byteCount {
      if unsafeLoad(fromByteOffset: offset, as: UInt8.self) >= 0x80 { return String(validating: self) != nil }
      offset &+= 1
    }
    return true
  }
}
