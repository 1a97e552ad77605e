/// A receiver of the verbs of a write: a transaction or an editing context.
///
/// The typed verbs are extensions of this protocol. In an editing context each of them is one step, even if it makes
/// several events: inserting a struct with links is undone at once.
public protocol Writing: Reading, ~Copyable {
  /// Runs several verbs as one.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`.
  @discardableResult
  func edit<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result
}
