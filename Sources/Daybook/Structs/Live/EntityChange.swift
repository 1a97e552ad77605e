import DaybookDiff
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The change of a typed request's result between two positions.
///
///     for try await change in store.changes(of: Recipe.all, from: saved) {
///       for row in try change.rows() { show(row.name) }       // those that came, moved or changed
///       saved = change.to
///     }
///
/// It contains the same information as ``ResultsChange``, with typed ids.
public struct EntityChange<Object: Storable>: Sendable {
  /// The position of the old result.
  public let from: Position
  /// The position of the new result.
  public let to: Position
  /// Whether no difference is available, and the result must be fetched again.
  public let isReset: Bool
  /// The difference from the old result to the new one.
  public let difference: Difference<EntityID<Object>>
  /// For each changed row, the positions of the commits that changed a value it shows, rising.
  public let causes: [EntityID<Object>: [Position]]
  private let source: RowSource

  /// - Parameter origin: The state with the rows of the new result.
  init(_ change: ResultsChange, from origin: RowSource.Origin) {
    from = change.from
    to = change.to
    isReset = change.isReset
    difference = change.difference.mapped { EntityID($0) }
    causes = Dictionary(uniqueKeysWithValues: change.causes.map { (EntityID($0), $1) })
    source = RowSource(origin)
  }

  /// Makes a change of a store's result.
  init(_ change: ResultsChange, in store: Store) { self.init(change, from: .past(store.at(change.to))) }

  /// Whether the result is unchanged.
  public var isEmpty: Bool { difference.isEmpty && !isReset }

  /// Returns the rows that were inserted, moved or updated, in the order of the difference.
  ///
  /// The rows are in the state of the new result.
  ///
  /// - Throws: `StoreError`: `closed`, `badValue`.
  /// - Complexity: O(*m* log *n*) for *m* rows, and O(*k* log *n*) for *k* events since ``to``.
  public func rows() throws -> [Stored<Object>] {
    let ids = difference.rows.compactMap { $0.to == nil ? nil : $0.id }
    guard !ids.isEmpty else { return [] }
    return try source.objects(ids.map(\.objectID)).map { try Stored($0, source: source) }
  }
}

private extension Difference {
  /// Returns the difference with transformed row ids.
  func mapped<Other: Hashable & Sendable>(_ transform: (ID) -> Other) -> Difference<Other> {
    Difference<Other>(
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
