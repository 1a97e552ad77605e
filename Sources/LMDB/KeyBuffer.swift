/// The bytes of one key, in memory that is reused for the next key.
///
/// An array takes several times as long to be emptied and filled again.
@safe
package struct KeyBuffer: ~Copyable {
  /// The size of the longest key, with some bytes that a caller may add for a search.
  private static let capacity = 1_024

  private let memory: UnsafeMutableRawPointer
  /// The number of bytes.
  package private(set) var count = 0

  package init() {
    unsafe memory = .allocate(byteCount: KeyBuffer.capacity, alignment: 8)
  }

  deinit { unsafe memory.deallocate() }

  package var isEmpty: Bool { count == 0 }

  /// The bytes, valid until the next change.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: count)
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
    }
  }

  /// Removes all bytes.
  package mutating func removeAll() { count = 0 }

  /// Adds bytes.
  ///
  /// - Precondition: There are at most 1,024 bytes then.
  package mutating func append(_ added: RawSpan) {
    precondition(count + added.byteCount <= KeyBuffer.capacity, "A key is too long for its buffer")
    let end = unsafe memory + count
    unsafe added.withUnsafeBytes { added in
      guard let start = added.baseAddress else { return }
      unsafe end.copyMemory(from: start, byteCount: added.count)
    }
    count += added.byteCount
  }

  /// Adds a byte.
  ///
  /// - Precondition: As for ``append(_:)``.
  package mutating func append(byte: UInt8) {
    precondition(count < KeyBuffer.capacity, "A key is too long for its buffer")
    unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Makes it a byte and other bytes.
  package mutating func assign(_ first: UInt8, _ rest: RawSpan) {
    count = 0
    append(byte: first)
    append(rest)
  }

  /// Makes it a byte and the bytes of another buffer.
  package mutating func assign(_ first: UInt8, _ rest: borrowing KeyBuffer) {
    assign(first, rest.bytes)
  }
}
