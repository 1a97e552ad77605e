import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

/// Results that are read row by row, with structs as rows.
///
///     let recipes = try store.liveResults(of: Recipe.all.sorted(by: \.name))
///     try recipes.row(at: RowPath(section: 0, row: 7)).name
///
/// Rows are read on access, so the result may be of any size. For interfaces that are drawn from values, see
/// ``ObservedResults``.
public struct EntityRows<Object: Storable, Results: RowReading>: Sendable {
  /// The untyped results, with the same rows; both are updated together.
  public let results: Results
  private let prefetched: [[String]]
  private let origin: @Sendable (Position) -> RowSource.Origin

  init(
    _ results: Results, prefetching paths: [[String]], origin: @escaping @Sendable (Position) -> RowSource.Origin
  ) {
    self.results = results
    self.origin = origin
    prefetched = paths
  }

  /// The position of the state shown.
  public var position: Position { results.position }

  /// The number of rows.
  public var count: Int {
    get throws { try results.count }
  }

  /// The sections in order, with their numbers of rows.
  public var sections: [ResultSection] {
    get throws { try results.sections }
  }

  /// The ids of all rows by section.
  public var ids: SectionedIDs<EntityID<Object>> {
    get throws { try results.ids.mapped { EntityID($0) } }
  }

  /// The row at an index path.
  ///
  /// - Throws: `StoreError`: `notFound` for a path that is not in the result, `badValue`, `expired`, `closed`.
  /// - Complexity: O(log *n*).
  public func row(at path: RowPath) throws -> Stored<Object> {
    try results.withRows { shown in
      guard let id = try shown.rows.id(at: path), let row = try rows([id], shown).first else {
        throw StoreError(.notFound, "The result has no row \(path).", advice: "Look at its sections and their counts.")
      }
      return row
    }
  }

  /// Returns the path of an object's row, or `nil` if the result lacks it.
  ///
  /// - Throws: `StoreError`: `expired` if the changes since the shown position exceed their limit, `closed`.
  public func path(of id: EntityID<Object>) throws -> RowPath? { try results.path(of: id.objectID) }

  /// Returns the rows in a range of numbers, counted from the start of the result.
  ///
  /// Numbers continue across sections. Numbers beyond the end of the result are ignored.
  ///
  /// - Throws: `StoreError`: `expired` if the changes since the shown position exceed their limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(in numbers: Range<Int>) throws -> [Stored<Object>] {
    try results.withRows { try rows($0.rows.ids(in: numbers), $0) }
  }

  /// Returns the rows in a range of numbers, counted from the start of a section.
  ///
  /// Numbers beyond the end of the section are ignored; a section that does not exist has no rows.
  ///
  /// - Throws: `StoreError`: `expired` if the changes since the shown position exceed their limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(inSection section: Int, _ numbers: Range<Int>) throws -> [Stored<Object>] {
    try results.withRows { try rows($0.rows.ids(inSection: section, numbers), $0) }
  }

  /// Returns a page of rows, counted from 0.
  ///
  /// The last page is shorter, and later pages are empty.
  ///
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func page(_ number: Int) throws -> [Stored<Object>] {
    try rows(in: results.numbers(ofPage: number))
  }

  /// Keeps the rows in place while the user edits.
  ///
  /// Changed rows are updated in place and deleted rows removed, while moves and new rows wait for ``thawOrder()``.
  ///
  ///     try tags.freezeOrder()
  ///     try context.relate(task, \.tags, to: tag)       // its count changes, and it stays under the finger
  ///     list.perform(try tags.update())
  ///     list.perform(try tags.thawOrder())           // now it moves
  ///
  /// - Throws: The same errors as reading.
  /// - Complexity: O(*n*) in time and memory, for *n* rows.
  public func freezeOrder() throws { try results.freezeOrder() }

  /// Moves the rows to their places in the request's order.
  ///
  /// - Returns: The moves and inserts that waited, at the same position, or `nil` if none waited.
  /// - Throws: The same errors as reading.
  @discardableResult
  public func thawOrder() throws -> EntityChange<Object>? {
    try results.thawOrder().map { EntityChange($0, from: origin($0.to)) }
  }

  /// Returns rows by id, with the objects that the request prefetches; skips missing ids.
  private func rows(_ ids: [ObjectID], _ shown: RowView) throws -> [Stored<Object>] {
    let source = try source(for: ids, shown)
    return try ids.compactMap { try shown.object($0).map { try Stored($0, source: source) } }
  }

  func source(for ids: [ObjectID], _ shown: RowView) throws -> RowSource {
    RowSource(
      origin(shown.position), prefetched: try Prefetched(from: ids, along: prefetched, in: shown.reader))
  }
}

private extension SectionedIDs {
  /// Returns the sections with transformed row ids.
  func mapped<Other: Hashable & Sendable>(_ transform: (ID) -> Other) -> SectionedIDs<Other> {
    SectionedIDs<Other>(
      sections: sections.map { SectionedIDs<Other>.Section(name: $0.name, ids: $0.ids.map(transform)) })
  }
}

/// The live result of a request, with structs as rows: ``LiveResults`` with types.
///
///     for try await change in recipes.changes { ... }
public typealias EntityLiveResults<Object: Storable> = EntityRows<Object, LiveResults>

/// The result of a request in an editing context, with structs as rows.
///
/// See ``EditingResults``.
public typealias EntityEditingResults<Object: Storable> = EntityRows<Object, EditingResults>

extension EntityRows where Results == LiveResults {
  /// Moves the result to the head.
  ///
  /// - Returns: The change, or `nil` if nothing changed.
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
  /// - Returns: The change, or `nil` if nothing changed.
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
