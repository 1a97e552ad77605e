import DaybookDiff
import DaybookModel

/// Results that are read row by row, whose rows are structs.
///
///     let recipes = try store.liveResults(of: Recipe.all.sorted(by: \.name))
///     try recipes.row(at: RowPath(section: 0, row: 7)).name
///
/// Rows are read when they are looked at, so the result may be of any size. For interfaces that are drawn from values,
/// see ``ObservedResults``.
public struct EntityRows<Object: Storable, Results: RowReading>: Sendable {
  /// The results without types, which have the same rows and move with these.
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

  /// The state of the store that is shown.
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

  /// Where an object is in the result; nil if it is not there.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  public func path(of id: EntityID<Object>) throws -> RowPath? { try results.path(of: id.objectID) }

  /// Rows by their numbers from the start of the result, whatever their sections; fewer at its end.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(in numbers: Range<Int>) throws -> [Stored<Object>] {
    try results.withRows { try rows($0.rows.ids(in: numbers), $0) }
  }

  /// Rows of one section by their numbers there; fewer at its end, and none of a section that is not there.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(inSection section: Int, _ numbers: Range<Int>) throws -> [Stored<Object>] {
    try results.withRows { try rows($0.rows.ids(inSection: section, numbers), $0) }
  }

  /// A page of rows, from 0; the last one is shorter, and pages behind it are empty.
  ///
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func page(_ number: Int) throws -> [Stored<Object>] {
    try rows(in: results.numbers(ofPage: number))
  }

  /// Keeps the rows where they are while a person edits: from now on changed rows are updated in place, deleted ones go,
  /// and moves and new rows wait for ``releaseOrder()``.
  ///
  ///     try tags.holdOrder()
  ///     try context.relate(task, \.tags, to: tag)       // its count changes, and it stays under the finger
  ///     list.perform(try tags.update())
  ///     list.perform(try tags.releaseOrder())           // now it moves
  ///
  /// - Throws: As reading does.
  /// - Complexity: O(*n*) in time and memory, for *n* rows.
  public func holdOrder() throws { try results.holdOrder() }

  /// Lets the rows go to where they belong.
  ///
  /// - Returns: The moves and inserts that waited, at the same position; nil if there are none.
  /// - Throws: As reading does.
  @discardableResult
  public func releaseOrder() throws -> EntityChange<Object>? {
    try results.releaseOrder().map { EntityChange($0, from: origin($0.to)) }
  }

  /// Rows by their ids, as far as they are there, with what the request prefetches.
  private func rows(_ ids: [ObjectID], _ shown: RowView) throws -> [Stored<Object>] {
    let source = try source(for: ids, shown)
    return try ids.compactMap { try shown.object($0).map { try Stored($0, source: source) } }
  }

  func source(for ids: [ObjectID], _ shown: RowView) throws -> RowSource {
    RowSource(
      origin(shown.position), prefetched: try Prefetched(from: ids, along: prefetched, in: shown.reader))
  }
}
