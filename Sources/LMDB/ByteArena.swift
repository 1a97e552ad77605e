/// Keeps runs of bytes that never move, until all of them are released together.
///
/// Storing copies the bytes and seldom allocates memory.
@safe
package final class ByteArena {
  // No method lends the memory to code that could call the arena again.
  @exclusivity(unchecked) private var memory = unsafe MemoryArena()

  package init() {}

  deinit { unsafe memory.deallocate() }

  /// The number of bytes in use.
  package var sizeInBytes: Int { unsafe memory.usedSizeInBytes }

  /// Copies bytes into the arena.
  ///
  /// - Complexity: O(*n*)
  package func store(_ bytes: RawSpan) -> UnsafeBytes {
    guard !bytes.isEmpty else { return unsafe .none }
    let target = unsafe memory.allocate(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(from: source)
    }
    return unsafe UnsafeBytes(start: UnsafeRawPointer(target), count: bytes.byteCount)
  }

  /// Copies bytes into a run that can be overwritten, with its capacity before its bytes.
  ///
  /// - Parameter former: A run that this method returned and that has no other references, or ``UnsafeBytes/none``. The
  ///   bytes overwrite this run if they fit; otherwise they go to a new run with room to grow, so that a value which
  ///   grows in small steps takes memory for a few copies of itself and not for one copy per step.
  /// - Complexity: O(*n*)
  package func store(_ bytes: RawSpan, over former: UnsafeBytes) -> UnsafeBytes {
    let count = bytes.byteCount
    guard count > 0 else { return unsafe .none }
    var target: UnsafeMutableRawPointer
    if let start = unsafe former.start, unsafe count <= ByteArena.room(at: start) {
      unsafe target = unsafe UnsafeMutableRawPointer(mutating: start)
    } else {
      let room = unsafe former.isNone ? count : count + count / 2
      unsafe target = unsafe memory.allocate(ByteArena.roomSize + room)
      unsafe target.storeBytes(of: UInt64(room), as: UInt64.self)
      unsafe target += ByteArena.roomSize
    }
    unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0.baseAddress!, byteCount: count) }
    return unsafe UnsafeBytes(start: UnsafeRawPointer(target), count: count)
  }

  /// The size of the capacity that precedes a run which can be overwritten.
  private static let roomSize = 8

  private static func room(at start: UnsafeRawPointer) -> Int {
    unsafe Int((start - roomSize).loadUnaligned(as: UInt64.self))
  }

  /// Copies bytes into the arena.
  @inline(never)
  package func store(_ bytes: [UInt8]) -> UnsafeBytes { unsafe store(bytes.rawSpan) }

  /// Releases all runs; none of them may be read afterwards.
  package func removeAll() { unsafe memory.removeAll() }
}
