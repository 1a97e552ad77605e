/// Memory that is handed out piece by piece, never moves, and is given back all at once.
///
/// Spans into it stay valid while it lives, which is what lets a ``MemoryTable`` return them after further changes.
struct MemoryArena {
  private static let smallestChunkSize = 1 << 10
  private static let largestChunkSize = 1 << 20

  /// The bytes handed out since the last ``removeAll()``.
  private(set) var usedSizeInBytes = 0
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  private var next: UnsafeMutableRawPointer?
  private var remaining = 0

  /// Uninitialised memory, aligned to four bytes.
  mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let size = (size + 3) & ~3
    if size > remaining { addChunk(for: size) }
    usedSizeInBytes += size
    guard let address = next else { preconditionFailure("An arena has a chunk once it was asked for memory") }
    next = address + size
    remaining -= size
    return address
  }

  private mutating func addChunk(for size: Int) {
    // Chunks double, so that a small table is cheap and a large one has few.
    let previous = chunks.last?.count ?? Self.smallestChunkSize / 2
    let chunk = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(size, min(previous * 2, Self.largestChunkSize)), alignment: 8)
    chunks.append(chunk)
    next = chunk.baseAddress
    remaining = chunk.count
  }

  /// Gives the memory back, but for one small chunk.
  mutating func removeAll() {
    let kept = chunks.first { $0.count <= 64 << 10 }
    for chunk in chunks where chunk.baseAddress != kept?.baseAddress { chunk.deallocate() }
    chunks = kept.map { [$0] } ?? []
    next = kept?.baseAddress
    remaining = kept?.count ?? 0
    usedSizeInBytes = 0
  }

  /// Gives all memory back; the arena must not be used again.
  func deallocate() {
    for chunk in chunks { chunk.deallocate() }
  }
}
