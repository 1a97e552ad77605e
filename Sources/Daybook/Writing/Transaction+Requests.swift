import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Transaction: ObjectReader {
  /// Returns an object in the state of this write, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is of another entity, or a value does not fit its property.
  public func get<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try get(id.objectID).map { try RowSource(nil).row($0) }
  }

  /// Returns the result of a request in the state of this write.
  ///
  /// Its rows cannot read related objects themselves, but contain the objects that the request prefetches.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit.
  public func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row> {
    try rows(of: fetch(request.fetch), request, from: nil)
  }

  /// Returns the number of objects that match a request in the state of this write, within its limit and offset.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  /// - Complexity: O(*n*) for *n* rows that the plan reads.
  public func count(_ request: Request<some ResultRow>) throws -> Int { try count(request.fetch) }
}
