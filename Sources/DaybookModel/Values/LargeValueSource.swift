/// A place from which the bytes of large values are read: memory, a file, or a store.
package protocol LargeValueSource: Sendable {
  /// Returns whether the place has a value, with this size.
  func contains(_ value: LargeValue) throws -> Bool

  /// Returns a piece of a value.
  ///
  /// Every piece but the last has ``LargeValue/chunkSizeInBytes``. A damaged piece may be returned: the digest of all
  /// pieces detects it.
  ///
  /// - Parameter number: The number of the piece, from 0.
  /// - Throws: An error if the place lacks the value, or the piece has the wrong size.
  func chunk(_ number: Int, of value: LargeValue) throws -> [UInt8]
}

/// Bytes that are not stored yet.
struct BytesInMemory: LargeValueSource {
  let bytes: [UInt8]

  func contains(_ value: LargeValue) throws -> Bool { value.equals(bytes) }

  func chunk(_ number: Int, of value: LargeValue) throws -> [UInt8] {
    let start = number * LargeValue.chunkSizeInBytes
    return Array(bytes[start..<(start + value.sizeOfChunk(number))])
  }
}

/// An error of a large value whose bytes cannot be read.
package enum LargeValueFault: Error, Hashable, CustomStringConvertible {
  /// The reference was read from text, so it is unknown from where the bytes can be read.
  case noSource(Digest)
  /// The bytes do not give the digest.
  case damaged(Digest)

  package var description: String {
    switch self {
    case .noSource(let digest): "the value \(digest) is a reference that no store returned"
    case .damaged(let digest): "the bytes of the value \(digest) are damaged: their digest differs"
    }
  }
}

extension LargeValueSource {
  /// Calls `body` with the pieces of a value, without comparing their digest.
  package func forEachUncheckedChunk(of value: LargeValue, _ body: ([UInt8]) throws -> Void) throws {
    for number in 0..<value.chunkCount { try body(chunk(number, of: value)) }
  }

  /// Checks that the bytes give the digest.
  ///
  /// - Throws: `LargeValueFault.damaged`; the errors of ``chunk(_:of:)``.
  /// - Complexity: O(*n*) for *n* bytes.
  package func check(_ value: LargeValue) throws {
    var digest = DigestWriter()
    try forEachUncheckedChunk(of: value) { digest.append($0.rawSpan) }
    guard digest.finish() == value.sha256 else { throw LargeValueFault.damaged(value.sha256) }
  }

  /// Returns all bytes of a value.
  ///
  /// - Throws: `LargeValueFault.damaged`; the errors of ``chunk(_:of:)``.
  package func bytes(of value: LargeValue) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.size)
    try forEachUncheckedChunk(of: value) { bytes += $0 }
    guard value.equals(bytes) else { throw LargeValueFault.damaged(value.sha256) }
    return bytes
  }
}
