import DaybookRuntime

extension Transaction: ObjectReader {}

extension Transaction: ObjectWriter {
  /// Runs several verbs, which belong to the transaction's commit like all others.
  @discardableResult
  public func edit<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
    try body(self)
  }
}

extension Transaction {
  /// Returns an object in the state of this write, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.nowhere)) }
  }

  /// Returns the result of a request in the state of this write.
  ///
  /// Its rows cannot read related objects themselves, but contain the objects that the request prefetches.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try results(of: request) { _ in .nowhere }
  }
}
