/// Where lines of operations come from.
package protocol OperationSource {
  /// The next line, without its end; nil when there are no more. Waits until there is one.
  mutating func next() throws -> [UInt8]?

  /// Whether ``next()`` would answer without waiting.
  mutating func isReady() throws -> Bool
}
