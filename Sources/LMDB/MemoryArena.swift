/// Memory that is allocated in pieces, never moves, and is released all at once.
///
/// Spans into it stay valid while it lives, which lets a ``MemoryTable`` return spans that survive further changes.
///
/// It is a plain value, so that a table's methods can copy it without cost; each chunk therefore holds the address of
/// the previous one.
struct MemoryArena {
  private static let smallestChunkSize = 1 << 10
  private static let largestChunkSize = 1 << 20

  /// The bytes handed out since the last ``removeAll()``.
  private(set) var usedSizeInBytes = 0
  private var newest: Chunk?
  private var next: UnsafeMutableRawPointer?
  private var remaining = 0

  /// A piece of memory; it begins with the address of the previous chunk and its own size.
  private struct Chunk {
    static let headerSize = 16
    let address: UnsafeMutableRawPointer

    init(size: Int, previous: Chunk?) {
      address = .allocate(byteCount: size, alignment: 8)
      address.storeBytes(of: previous?.address, as: UnsafeMutableRawPointer?.self)
      address.storeBytes(of: size, toByteOffset: 8, as: Int.self)
    }

    private init(address: UnsafeMutableRawPointer) { self.address = address }

    var size: Int { address.load(fromByteOffset: 8, as: Int.self) }

    var previous: Chunk? { address.load(as: UnsafeMutableRawPointer?.self).map { Chunk(address: $0) } }

    func forgetPrevious() { address.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self) }
  }

  /// Returns uninitialised memory, aligned to four bytes.
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
    let previous = newest?.size ?? Self.smallestChunkSize / 2
    let chunk = Chunk(
      size: max(size + Chunk.headerSize, min(previous * 2, Self.largestChunkSize)), previous: newest)
    newest = chunk
    startOver(chunk)
  }

  private mutating func startOver(_ chunk: Chunk) {
    next = chunk.address + Chunk.headerSize
    remaining = chunk.size - Chunk.headerSize
  }

  /// Releases the memory except one chunk, because an arena is likely to be filled again.
  mutating func removeAll() {
    usedSizeInBytes = 0
    guard let kept = newest, kept.size <= Self.largestChunkSize else {
      deallocate()
      (newest, next, remaining) = (nil, nil, 0)
      return
    }
    deallocate(from: kept.previous)
    kept.forgetPrevious()
    startOver(kept)
  }

  /// Releases all memory; the arena must not be used again.
  func deallocate() { deallocate(from: newest) }

  private func deallocate(from chunk: Chunk?) {
    var chunk = chunk
    while let present = chunk {
      chunk = present.previous
      present.address.deallocate()
    }
  }
}
