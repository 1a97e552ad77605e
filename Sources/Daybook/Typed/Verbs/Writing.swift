/// What takes the verbs of a write: a transaction, and an editing context.
///
/// The verbs for structs are written once, over this. In an editing context each of them is one step, also where it is
/// several events: inserting a struct with links is undone at once.
public protocol Writing: Reading, ~Copyable {
  /// Does several verbs as one.
  ///
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws.
  @discardableResult
  func edit<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result
}

extension EditingContext: Writing {}

extension Transaction: Writing {
  /// Does several verbs, which are one commit with all others of the transaction.
  @discardableResult
  public func edit<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
    try body(self)
  }
}
