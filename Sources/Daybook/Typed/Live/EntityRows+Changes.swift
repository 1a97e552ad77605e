extension EntityRows where Results == LiveResults {
  /// Moves the result to the head.
  ///
  /// - Returns: The change, or `nil` if there is none.
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  @discardableResult
  public func update() throws -> EntityChange<Object>? {
    try results.update().map { EntityChange($0, in: results.store) }
  }

  /// The differences of this result in sequence: each iteration updates the result.
  ///
  /// The loop ends when its task is cancelled, and throws when the store is closed.
  public var changes: Feed<EntityChange<Object>> {
    let store = results.store
    return results.changes.converted { EntityChange($0, in: store) }
  }
}

extension EntityRows where Results == EditingResults {
  /// Moves the shown state to the context's present one.
  ///
  /// - Returns: The change, or `nil` if there is none.
  /// - Throws: `StoreError`: `expired`, `closed`, `badRequest` if a later model lacks what the request names.
  @discardableResult
  public func update() throws -> EntityChange<Object>? {
    try results.update().map { EntityChange($0, from: .context(results.context)) }
  }

  /// The differences in sequence: each iteration updates the state shown. Ends when its task is cancelled.
  public var changes: Feed<EntityChange<Object>> {
    let context = results.context
    return results.changes.converted { EntityChange($0, from: .context(context)) }
  }
}
