import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Change {
  /// Returns the rows that were inserted, moved or updated, in the order of the difference.
  ///
  ///     for try await change in store.changes(of: Recipe.all, from: saved) {
  ///       for row in try change.rows() { show(row.name) }
  ///       saved = change.to
  ///     }
  ///
  /// The rows are in the state of the new result.
  ///
  /// - Throws: `StoreError`: `closed`, `badValue`; `badRequest` for a change of an ``EditingPreview``.
  /// - Complexity: O(*m* log *n*) for *m* rows, and O(*k* log *n*) for *k* events since ``to``.
  public func rows<Object>() throws -> [Record<Object>] where Difference == DaybookDiff.Difference<EntityID<Object>> {
    try rows(of: Record<Object>.self)
  }

  /// Returns the objects of the rows that were inserted, moved or updated, as for records.
  public func rows() throws -> [StoredObject] where Difference == DaybookDiff.Difference<ObjectID> {
    try rows(of: StoredObject.self)
  }

  /// Returns the groups that were inserted, moved or updated, as for records.
  ///
  /// - Complexity: O(*n*) for *n* objects of the request.
  public func rows<Object>() throws -> [Group<Object>] where Difference == DaybookDiff.Difference<Group<Object>.ID> {
    try rows(of: Group<Object>.self)
  }

  func rows<Row: ResultRow>(of type: Row.Type) throws -> [Row] where Difference == DaybookDiff.Difference<Row.ID> {
    let ids = difference.rows.compactMap { $0.to == nil ? nil : Row._object(of: $0.id) }
    guard !ids.isEmpty else { return [] }
    guard let origins = source as? any RowOrigins else {
      throw StoreError(
        .badRequest, "The rows of a preview are of a commit that is not made.", advice: "Read them from the context.")
    }
    let source = RowSource(origins.origin(at: to))
    return try source.objects(ids).map { try source.row($0) }
  }
}

extension Change where Difference == DaybookDiff.Difference<ObjectID> {
  /// Returns the change with the ids of the rows of a request.
  ///
  /// - Parameter origins: The store or the context from which it reads the rows.
  func of<Row: ResultRow>(
    _ request: Request<Row>, in origins: (any RowOrigins)?
  ) -> Change<DaybookDiff.Difference<Row.ID>> {
    let fetch = time.map { request.fetch.at($0) } ?? request.fetch
    let origins = fetch.grouping == nil ? origins : origins.map { GroupOrigins(request: fetch, base: $0) }
    if Row.self == StoredObject.self {
      var change = self
      change.source = origins
      // The ids of untyped rows are the objects', so both types are one; a cast of values takes longer than the difference of
      // a commit.
      return unsafeBitCast(change, to: Change<DaybookDiff.Difference<Row.ID>>.self)
    }
    return Change<DaybookDiff.Difference<Row.ID>>(
      from: from, to: to, difference: difference.mapped { Row._id(of: $0) },
      causes: Dictionary(uniqueKeysWithValues: causes.map { (Row._id(of: $0), $1) }),
      keys: Dictionary(uniqueKeysWithValues: keys.map { (Row._id(of: $0), $1) }), isReset: isReset,
      stamp: stamp, time: time, source: origins)
  }
}

private extension Difference {
  /// Returns the difference with transformed row ids.
  func mapped<Other: Hashable & Sendable>(_ transform: (RowID) -> Other) -> DaybookDiff.Difference<Other> {
    DaybookDiff.Difference<Other>(
      sections: sections,
      rows: rows.map { change in
        switch change {
        case .delete(let id, let from): .delete(transform(id), from: from)
        case .insert(let id, let to): .insert(transform(id), to: to)
        case .move(let id, let from, let to): .move(transform(id), from: from, to: to)
        case .update(let id, let from, let to): .update(transform(id), from: from, to: to)
        }
      })
  }
}
