/// Keeps runs of bytes that never move, until all of them are let go together.
///
/// Storing costs a copy, and an allocation only now and then.
package final class ByteArena {
  // No method lends it to code that could come back to the arena.
  @exclusivity(unchecked) private var memory = MemoryArena()

  package init() {}

  deinit { memory.deallocate() }

  /// The bytes that are stored.
  package var sizeInBytes: Int { memory.usedSizeInBytes }

  /// Copies bytes into the arena.
  ///
  /// - Complexity: O(*n*)
  package func store(_ bytes: RawSpan) -> StoredBytes {
    guard !bytes.isEmpty else { return .none }
    let target = memory.allocate(bytes.byteCount)
    bytes.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(from: source)
    }
    return StoredBytes(start: UnsafeRawPointer(target), count: bytes.byteCount)
  }

  /// Copies bytes into a run that can be overwritten, with `room` before its bytes.
  ///
  /// - Parameter former: A run that this method returned and that nothing refers to any more, or none. The bytes go
  ///   there if they fit; else to a run with room to grow, so that a value which grows bit by bit takes memory for a few
  ///   copies of itself and not for one each time.
  /// - Complexity: O(*n*)
  package func store(_ bytes: RawSpan, over former: StoredBytes) -> StoredBytes {
    let count = bytes.byteCount
    guard count > 0 else { return .none }
    var target: UnsafeMutableRawPointer
    if let start = former.start, count <= ByteArena.room(at: start) {
      target = UnsafeMutableRawPointer(mutating: start)
    } else {
      let room = former.isNone ? count : count + count / 2
      target = memory.allocate(ByteArena.roomSize + room)
      target.storeBytes(of: UInt64(room), as: UInt64.self)
      target += ByteArena.roomSize
    }
    bytes.withUnsafeBytes { target.copyMemory(from: $0.baseAddress!, byteCount: count) }
    return StoredBytes(start: UnsafeRawPointer(target), count: count)
  }

  /// The size of the number that precedes a run which can be overwritten: how many bytes fit there.
  private static let roomSize = 8

  private static func room(at start: UnsafeRawPointer) -> Int {
    Int((start - roomSize).loadUnaligned(as: UInt64.self))
  }

  /// Copies bytes into the arena.
  @inline(never)
  package func store(_ bytes: [UInt8]) -> StoredBytes { store(bytes.span.bytes) }

  /// Lets all runs go; none of them may be looked at again.
  package func removeAll() { memory.removeAll() }
}

/// A run of bytes in a ``ByteArena``, which must outlive it.
@usableFromInline
package struct StoredBytes: BitwiseCopyable {
  @usableFromInline let start: UnsafeRawPointer?
  @usableFromInline package let count: Int

  @inlinable
  init(start: UnsafeRawPointer?, count: Int) {
    self.start = start
    self.count = count
  }

  /// Whether two runs begin at the same place.
  package func isSameRun(as other: StoredBytes) -> Bool { start == other.start }

  /// No bytes.
  @inlinable
  package static var none: StoredBytes { StoredBytes(start: nil, count: 0) }

  @inlinable
  @inline(__always)
  package var isNone: Bool { count == 0 }

  @inlinable
  package var bytes: RawSpan {
    @_lifetime(immortal)
    get {
      let span = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count))
      return _overrideLifetime(span, copying: RawSpan())
    }
  }
}
