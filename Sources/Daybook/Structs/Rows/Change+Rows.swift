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
  /// - Throws: `StoreError`: `closed`, `badValue`.
  /// - Complexity: O(*m* log *n*) for *m* rows, and O(*k* log *n*) for *k* events since ``to``.
  public func rows<Object>() throws -> [Record<Object>] where Difference == DaybookDiff.Difference<EntityID<Object>> {
    try rows(of: Record<Object>.self)
  }

  /// Returns the objects of the rows that were inserted, moved or updated; see ``rows()-([Record])``.
  public func rows() throws -> [StoredObject] where Difference == DaybookDiff.Difference<ObjectID> {
    try rows(of: StoredObject.self)
  }

  func rows<Row: ResultRow>(of type: Row.Type) throws -> [Row] where Difference == DaybookDiff.Difference<Row.ID> {
    let ids = difference.rows.compactMap { $0.to == nil ? nil : Row.object(of: $0.id) }
    guard !ids.isEmpty, let source = source as? RowSource else { return [] }
    return try source.objects(ids).map { try source.row($0) }
  }
}

extension Change where Difference == DaybookDiff.Difference<ObjectID> {
  /// Returns the change with the ids of a request's rows, which it reads from a state.
  func ofRows<Row: ResultRow>(
    of request: Request<Row>, from origin: () -> (any RowOrigin)?
  ) -> Change<DaybookDiff.Difference<Row.ID>> {
    let source = RowSource(origin())
    // The ids of untyped rows are the objects'.
    if var change = self as? Change<DaybookDiff.Difference<Row.ID>> {
      change.source = source
      return change
    }
    return Change<DaybookDiff.Difference<Row.ID>>(
      from: from, to: to, difference: difference.mapped { Row.id(of: $0) },
      causes: Dictionary(uniqueKeysWithValues: causes.map { (Row.id(of: $0), $1) }), isReset: isReset, source: source)
  }
}

private extension Difference {
  /// Returns the difference with transformed row ids.
  func mapped<Other: Hashable & Sendable>(_ transform: (ID) -> Other) -> DaybookDiff.Difference<Other> {
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
