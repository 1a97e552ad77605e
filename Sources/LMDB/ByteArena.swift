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
