/// The source of a stream's bytes: a file, a pipe, or memory.
package protocol ByteSource {
  /// Waits for the next bytes and returns them.
  ///
  /// - Parameter count: The maximum number of bytes, at least 1.
  /// - Returns: 1 to `count` bytes, or none at the end. It is not called again after the end.
  mutating func read(upTo count: Int) throws -> [UInt8]
}
