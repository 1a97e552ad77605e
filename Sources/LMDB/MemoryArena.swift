/// Memory that is allocated in pieces, never moves, and is released all at once.
///
/// Spans into it stay valid while it lives, which lets a ``MemoryTable`` return spans that survive further changes.
///
/// It is a plain value, so that a table's methods can copy it without cost; each chunk therefore holds the address of
/// the previous one.
@unsafe
struct MemoryArena {
  private static let smallestChunkSize = 1 << 10
  private static let largestChunkSize = 1 << 20

  /// The bytes handed out since the last ``removeAll()``.
  private(set) var usedSizeInBytes = 0
  private var newest: Chunk?
  private var next: UnsafeMutableRawPointer?
  private var remaining = 0

  /// A piece of memory; it begins with the address of the previous chunk and its own size.
  @unsafe
  private struct Chunk {
    static let headerSize = 16
    let address: UnsafeMutableRawPointer

    init(size: Int, previous: Chunk?) {
      unsafe address = .allocate(byteCount: size, alignment: 8)
      unsafe address.storeBytes(of: previous?.address, as: UnsafeMutableRawPointer?.self)
      unsafe address.storeBytes(of: size, toByteOffset: 8, as: Int.self)
    }

    private init(address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

    var size: Int { unsafe address.load(fromByteOffset: 8, as: Int.self) }

    var previous: Chunk? { unsafe address.load(as: UnsafeMutableRawPointer?.self).map { unsafe Chunk(address: $0) } }

    func forgetPrevious() { unsafe address.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self) }
  }

  /// Returns uninitialised memory, aligned to four bytes.
  mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let size = (size + 3) & ~3
    if unsafe size > remaining { unsafe addChunk(for: size) }
    unsafe usedSizeInBytes += size
    guard let address = unsafe next else { preconditionFailure("An arena has a chunk once it was asked for memory") }
    unsafe next = unsafe address + size
    unsafe remaining -= size
    return unsafe address
  }

  private mutating func addChunk(for size: Int) {
    // Chunks double, so that a small table is cheap and a large one has few.
    let previous = unsafe newest?.size ?? Self.smallestChunkSize / 2
    let chunk = unsafe Chunk(
      size: max(size + Chunk.headerSize, min(previous * 2, Self.largestChunkSize)), previous: newest)
    unsafe newest = unsafe chunk
    unsafe startOver(chunk)
  }

  private mutating func startOver(_ chunk: Chunk) {
    unsafe next = unsafe chunk.address + Chunk.headerSize
    unsafe remaining = unsafe chunk.size - Chunk.headerSize
  }

  /// Releases the memory except one chunk, because an arena is likely to be filled again.
  mutating func removeAll() {
    unsafe usedSizeInBytes = 0
    guard let kept = unsafe newest, unsafe kept.size <= Self.largestChunkSize else {
      unsafe deallocate()
      unsafe (newest, next, remaining) = (nil, nil, 0)
      return
    }
    unsafe deallocate(from: kept.previous)
    unsafe kept.forgetPrevious()
    unsafe startOver(kept)
  }

  /// Releases all memory; the arena must not be used again.
  func deallocate() { unsafe deallocate(from: newest) }

  private func deallocate(from chunk: Chunk?) {
    var chunk = unsafe chunk
    while let present = unsafe chunk {
      unsafe chunk = unsafe present.previous
      unsafe present.address.deallocate()
    }
  }
}
