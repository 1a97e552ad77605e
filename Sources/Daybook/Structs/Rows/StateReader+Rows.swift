import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StateReader: ObjectReader {
  /// Returns an object, or `nil` if it does not exist.
  ///
  /// Its related objects are read by their ids, or prefetched by a request: the state ends with the call.
  ///
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `damaged`.
  public func get<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try get(id.objectID).map { try RowSource(nil).row($0) }
  }

  /// Returns an object.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist, `badValue` if a stored value does not fit its property,
  ///   `damaged`.
  public func require<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object> {
    try RowSource(nil).row(require(id.objectID))
  }

  /// Returns the result of a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `damaged`.
  /// - Complexity: O(*n*) for *n* rows that the plan reads.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try rows(of: fetch(request.fetch), request, from: nil)
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `damaged`.
  /// - Complexity: O(log *n*) if there is no filter, or an index has exactly the rows that match; else O(*n*) for *n* rows
  ///   that the plan reads.
  public func count(_ request: Request<some ResultRow>) throws -> Int { try count(request.fetch) }
}
