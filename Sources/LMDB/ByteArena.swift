/// Keeps runs of bytes that never move, until all of them are let go together.
///
/// Storing costs a copy, and an allocation only now and then.
package final class ByteArena {
  private var memory = MemoryArena()

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
  package func store(_ bytes: [UInt8]) -> StoredBytes { store(bytes.span.bytes) }

  /// Lets all runs go; none of them may be looked at again.
  package func removeAll() { memory.removeAll() }
}

/// A run of bytes in a ``ByteArena``, which must outlive it.
package struct StoredBytes {
  let start: UnsafeRawPointer?
  package let count: Int

  /// No bytes.
  package static var none: StoredBytes { StoredBytes(start: nil, count: 0) }

  @inline(__always)
  package var isNone: Bool { count == 0 }

  package var bytes: RawSpan {
    @_lifetime(immortal)
    get {
      let span = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count))
      return _overrideLifetime(span, copying: RawSpan())
    }
  }
}
