#if Import

/// The source of the bytes of an imported file: a file, or memory.
package protocol ImportByteSource {
  /// Waits for the next bytes and returns them.
  ///
  /// - Parameter count: The maximum number of bytes, at least 1.
  /// - Returns: 1 to `count` bytes, or none at the end.
  /// - Throws: `ImportError` if the bytes cannot be read.
  mutating func read(upTo count: Int) throws(ImportError) -> [UInt8]
}

/// Bytes in memory.
package struct ImportMemory: ImportByteSource {
  private let bytes: [UInt8]
  private var offset = 0
  /// The largest piece that is returned; tests use it to cut a text at each place.
  private let pieceSize: Int

  package init(_ bytes: [UInt8], pieceSize: Int = .max) {
    self.bytes = bytes
    self.pieceSize = pieceSize
  }

  package mutating func read(upTo count: Int) -> [UInt8] {
    let size = min(count, pieceSize, bytes.count - offset)
    defer { offset += size }
    return Array(bytes[offset..<(offset + size)])
  }
}

#endif
