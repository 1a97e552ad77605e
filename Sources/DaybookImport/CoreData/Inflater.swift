#if Import

import CZlib

/// Decompresses raw deflate data, the form of a store's compiled model.
enum Inflater {
  /// The limit on the size of the result, in bytes: 64 MiB.
  static let maximumSizeInBytes = BinaryPlist.maximumSizeInBytes

  /// Returns the decompressed bytes.
  ///
  /// - Parameter name: The origin of the bytes, for messages.
  /// - Throws: ``ImportError`` for bytes that are not deflate data, that end early, or whose result is too large.
  /// - Complexity: O(*n*) for a result of *n* bytes.
  static func inflate(_ compressed: [UInt8], name: String) throws(ImportError) -> [UInt8] {
    var stream = z_stream()
    // Negative window bits mean deflate data without a header.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard compressed.count <= maximumSizeInBytes, inflateInit2_(&stream, -15, ZLIB_VERSION, size) == Z_OK else {
      throw ImportError(
        .data, "\(name) has \(compressed.count) bytes, which is too much for a compiled model; give the model")
    }
    defer { inflateEnd(&stream) }
    var (input, output): ([UInt8], [UInt8]) = (compressed, [])
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    // The stream keeps the pointer to the input between the calls.
    let status = input.withUnsafeMutableBufferPointer { source -> Int32 in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      return run(&stream, &piece, &output)
    }
    guard status == Z_STREAM_END else {
      let reason = status == Z_OK ? "decompresses to more than 64 MiB" : "is not whole deflate data"
      throw ImportError(.data, "\(name) \(reason); the store is damaged, so take it from a backup, or give the model")
    }
    return output
  }

  /// Runs a stream to its end, an error or the limit, and returns the last status.
  private static func run(_ stream: inout z_stream, _ piece: inout [UInt8], _ output: inout [UInt8]) -> Int32 {
    while output.count <= maximumSizeInBytes {
      let (status, count) = piece.withUnsafeMutableBufferPointer { target -> (Int32, Int) in
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        let status = CZlib.inflate(&stream, Z_NO_FLUSH)
        return (status, target.count - Int(stream.avail_out))
      }
      output += piece[..<count]
      if status != Z_OK { return status }
      // Without progress the input has ended early.
      if count == 0, stream.avail_in == 0 { return Z_BUF_ERROR }
    }
    return Z_OK
  }
}

#endif
