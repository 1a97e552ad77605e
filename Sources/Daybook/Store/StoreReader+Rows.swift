import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension StoreReader {
  /// Returns an object, or `nil` if it does not exist.
  @usableFromInline
  func record<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object>? {
    try object(id.objectID).map { try RowSource(origin).row($0) }
  }

  /// Returns an object.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist, `badValue`.
  @usableFromInline
  func requireRecord<Object: Fetchable>(_ id: EntityID<Object>) throws -> Record<Object> {
    try RowSource(origin).row(requireObject(id.objectID))
  }

  /// The state from which rows that are read now read related objects later; `nil` for one that ends with the reader.
  var origin: (any RowOrigin)? {
    if let context { return context as? any RowOrigin }
    guard isOfStore, let store = keeper?.owner as? Store else { return nil }
    return StoreOrigin(store: store, position: position)
  }

  /// Returns the rows of a result, read together with the related objects that the request prefetches.
  func rows<Row: ResultRow>(of objects: Results<StoredObject>, _ request: Request<Row>) throws -> Results<Row> {
    // Untyped rows are the objects.
    if let rows = objects as? Results<Row> { return rows }
    let ids = request.prefetched.isEmpty ? [] : objects.rows.map(\.id)
    let prefetched = try Prefetched(
      from: ids, along: request.prefetched, targets: { try linkTargets(of: $0, $1) }, object: { try object($0) })
    let source = RowSource(origin, prefetched: prefetched)
    return try objects.map { try source.row($0) }
  }
}
