import DaybookModel

/// The input of a state hash: bytes that are hashed in pieces.
struct StateHashOutput {
  /// The bytes that are not hashed yet.
  var bytes: [UInt8] = []
  private var digest = DigestWriter()

  private static let sizeInBytes = 64 << 10

  init() {
    bytes.reserveCapacity(StateHashOutput.sizeInBytes * 2)
  }

  /// Hashes the bytes if they are many.
  mutating func flushIfLarge() {
    if bytes.count >= StateHashOutput.sizeInBytes { flush() }
  }

  private mutating func flush() {
    var pending: [UInt8] = []
    swap(&pending, &bytes)
    digest.append(pending.rawSpan)
    pending.removeAll(keepingCapacity: true)
    swap(&pending, &bytes)
  }

  /// Appends the bytes of a large value, without holding more than a piece of them.
  ///
  /// - Throws: An error if the bytes cannot be read or do not give the value's digest.
  mutating func append(_ value: LargeValue, from source: any LargeValueSource) throws {
    flush()
    var read = DigestWriter()
    try source.forEachUncheckedChunk(of: value) { chunk in
      read.append(chunk.rawSpan)
      digest.append(chunk.rawSpan)
    }
    guard read.finish() == value.sha256 else { throw LargeValueFault.damaged(value.sha256) }
  }

  /// Returns the hash of everything.
  mutating func finish() -> Digest {
    flush()
    return digest.finish()
  }
}
