/// Keeps runs of bytes that never move, until all of them are released together.
///
/// Storing copies the bytes and seldom allocates memory.
package final class ByteArena {
  // No method lends the memory to code that could call the arena again.
  @exclusivity(unchecked) private var memory = MemoryArena()

  package init() {}

  deinit { memory.deallocate() }

  /// The number of bytes in use.
  package var sizeInBytes: Int { memory.usedSizeInBytes }

  /// Copies bytes into the arena.
  ///
  /// - Complexity: O(*n*)
  package func store(_ bytes: RawSpan) -> UnsafeBytes {
    guard !bytes.isEmpty else { return .none }
    let target = memory.allocate(bytes.byteCount)
    bytes.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(from: source)
    }
    return UnsafeBytes(start: UnsafeRawPointer(target), count: bytes.byteCount)
  }

  /// Copies bytes into a run that can be overwritten, with its capacity before its bytes.
  ///
  /// - Parameter former: A run that this method returned and that has no other references, or ``UnsafeBytes/none``. The
  ///   bytes overwrite this run if they fit; otherwise they go to a new run with room to grow, so that a value which
  ///   grows in small steps takes memory for a few copies of itself and not for one copy per step.
  /// - Complexity: O(*n*)
  package func store(_ bytes: RawSpan, over former: UnsafeBytes) -> UnsafeBytes {
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
    return UnsafeBytes(start: UnsafeRawPointer(target), count: count)
  }

  /// The size of the capacity that precedes a run which can be overwritten.
  private static let roomSize = 8

  private static func room(at start: UnsafeRawPointer) -> Int {
    Int((start - roomSize).loadUnaligned(as: UInt64.self))
  }

  /// Copies bytes into the arena.
  @inline(never)
  package func store(_ bytes: [UInt8]) -> UnsafeBytes { store(bytes.span.bytes) }

  /// Releases all runs; none of them may be read afterwards.
  package func removeAll() { memory.removeAll() }
}

/// A run of bytes in a ``ByteArena``; the arena must outlive it.
@usableFromInline
package struct UnsafeBytes: BitwiseCopyable {
  @usableFromInline let start: UnsafeRawPointer?
  @usableFromInline package let count: Int

  @inlinable
  init(start: UnsafeRawPointer?, count: Int) {
    self.start = start
    self.count = count
  }

  /// Returns whether two runs begin at the same address.
  package func isSameRun(as other: UnsafeBytes) -> Bool { start == other.start }

  /// No bytes.
  @inlinable
  package static var none: UnsafeBytes { UnsafeBytes(start: nil, count: 0) }

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

extension UnsafeBytes {
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: bytes.baseAddress, count: bytes.count)
  }
}
