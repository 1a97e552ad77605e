import DaybookRuntime

extension PastStore {
  /// Returns an object, or `nil` if it did not exist.
  ///
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try read { try $0.get(id) }
  }

  /// Returns the result of a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try read { try $0.fetch(request) }
  }

  /// Returns the number of objects that matched a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`, `damaged`.
  public func count<Object>(_ request: EntityRequest<Object>) throws -> Int {
    try read { try $0.count(request.request) }
  }

  /// Returns the commit that had set each value of an object and each link to one.
  ///
  /// Only commits up to this position count.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object did not exist.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}
