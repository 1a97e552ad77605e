/// Where the bytes of a stream come from: a file, a pipe, or memory.
package protocol ByteSource {
  /// Waits for the next bytes and returns them.
  ///
  /// - Parameter count: How many at most; it is 1 or more.
  /// - Returns: 1 to `count` bytes, or none at the end. After the end it is not asked again.
  mutating func read(upTo count: Int) throws -> [UInt8]
}
