import Daybook

/// A source of lines of operations.
package protocol OperationSource {
  /// Returns the next line without its end, waiting for it, or `nil` at the end of the input.
  mutating func next() throws -> [UInt8]?

  /// Whether ``next()`` would return without waiting.
  mutating func isReady() throws -> Bool
}
