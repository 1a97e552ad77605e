import DaybookRuntime

extension Transaction: ObjectWriter {
  /// Runs several verbs, which belong to the transaction's commit like all others.
  @discardableResult
  public func edit<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
    try body(self)
  }
}

extension EditingContext: ObjectWriter {}
