import DaybookRuntime

extension EditingContext: ObjectReader {}
extension EditingContext: ObjectWriter {}

extension EditingContext {
  /// Returns an object with its pending edits, or `nil` if it does not exist.
  ///
  /// Its related objects are read from the context in the context's state at that time.
  ///
  /// - Throws: `StoreError`: `badValue` if it is of another entity, or a value does not fit its property; `expired`.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.context(self))) }
  }

  /// Returns the result of a request with the pending edits.
  ///
  /// - Throws: `StoreError`: `badRequest`, `badValue`, `expired`.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try results(of: request) { _ in .context(self) }
  }

  /// Makes a live result of a request that includes the pending edits.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - pageSize: The number of rows in a page of the untyped results.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `expired`, `closed`.
  public func results<Object>(
    of request: EntityRequest<Object>, pageSize: Int = 50
  ) throws -> EntityEditingResults<Object> {
    EntityRows(try results(of: request.request, pageSize: pageSize), prefetching: request.prefetched) { _ in
      .context(self)
    }
  }
}
