import DaybookRuntime

extension StoreReader: ObjectReader {}

extension StoreReader {
  /// Returns an object, or `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - store: The store that is read, from which the object reads related objects later.
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Storable>(_ id: EntityID<Object>, in store: Store) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(.past(store.at(position)))) }
  }

  /// Returns the result of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - store: The store that is read, from which the rows read related objects later.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  public func fetch<Object: Storable>(
    _ request: EntityRequest<Object>, in store: Store
  ) throws -> EntityResults<Object> {
    try results(of: request) { .past(store.at($0)) }
  }
}
