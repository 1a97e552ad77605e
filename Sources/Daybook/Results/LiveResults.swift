import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A request's result that stays current, is read row by row and reports its exact changes.
///
///     let recipes = try store.liveResults(of: Recipe.all.sorted(by: \.name))
///     show(recipes.count, recipes.sections)
///     try recipes.row(at: RowPath(section: 0, row: 7)).name
///     for try await change in recipes.changes {
///       list.perform(change.difference.viewPlan)      // the rows have the position change.to by now
///     }
///
/// The first result is available at once. All reads are of one ``position``, which moves only by ``update()``, by a
/// step of ``changes``, or to any position by ``move(to:)``, and each move reports its difference. So a list view that
/// applies each difference as it arrives never shows rows other than the reported ones, however much is written
/// meanwhile.
///
/// Live results of an editing context include the pending edits: each edit, undo, save and rebase is a difference.
/// Several edits between two updates are reported as one. If more has changed than the context keeps, or the model has
/// changed, the change is a reset.
///
///     let ingredients = try context.liveResults(of: request)
///     try context.insert(Ingredient(name: "Flour"))
///     let change = try ingredients.update()               // the new row
///     try context.undo()
///     let back = try ingredients.update()                 // it goes again
///
/// Rows are read on demand: by index path, by id, or by ranges of numbers. Memory does not grow with what is read, and
/// all results of equal requests of a store share the ranks of one result. For user interfaces there is
/// ``ObservedResults``.
///
/// It may be used from any thread. Several loops over ``changes`` share the differences: each difference goes to one of
/// them.
public final class LiveResults<Row: ResultRow>: Sendable {
  let followed: any FollowedResults
  private let kept: Locked<Request<Row>>

  init(_ followed: any FollowedResults, of request: Request<Row>) {
    self.followed = followed
    kept = Locked(request)
  }

  /// The followed request; see ``change(to:)``.
  public var request: Request<Row> { kept.withLock { $0 } }

  /// The position of the store that the results show.
  public var position: Position { followed.position }

  private func typed(_ change: ResultsChange) -> Change<Difference<Row.ID>> {
    change.of(request, in: followed.origins)
  }
}

// MARK: - Reading rows

extension LiveResults {
  /// The number of rows.
  ///
  /// - Throws: `StoreError`: `expired` if the shown rows cannot be read, in which case the next difference is a reset;
  ///   `closed`. All members that read throw these.
  public var count: Int {
    get throws { try followed.withRows { $0.rows.count } }
  }

  /// The sections in order, with their numbers of rows.
  ///
  /// - Complexity: O(*s* log *n*) for *s* sections.
  public var sections: [ResultSection] {
    get throws { try followed.withRows { try $0.rows.sections.map { ResultSection(name: $0.name, count: $0.count) } } }
  }

  /// The titles of an index beside the list.
  ///
  /// They are the first characters of the sections' names in upper case, each once.
  public var sectionIndexTitles: [String] {
    get throws { SectionIndex.titles(of: try sections.map(\.name)) }
  }

  /// Returns the first section with an index title, or `nil` if no section has the title.
  ///
  /// - Throws: The errors of reading rows.
  public func section(forIndexTitle title: String) throws -> Int? {
    try sections.firstIndex { $0.indexTitle == title }
  }

  /// The ids of all rows by section.
  ///
  /// - Complexity: O(*n* log *n*).
  public var ids: SectionedIDs<Row.ID> {
    get throws { try followed.withRows { try $0.rows.ids }.mapped { Row._id(of: $0) } }
  }

  /// Returns the row at an index path.
  ///
  /// - Throws: `StoreError`: `notFound` for a path that is not in the result, `badValue`; the errors of reading rows.
  /// - Complexity: O(log *n*).
  public func row(at path: RowPath) throws -> Row {
    try followed.withRows { shown in
      guard let id = try shown.rows.id(at: path), let row = try rows([id], shown).first else {
        throw StoreError(.notFound, "The result has no row \(path).", advice: "Look at its sections and their counts.")
      }
      return row
    }
  }

  /// Returns the id at an index path, or `nil` if there is no such row.
  ///
  /// - Throws: The errors of reading rows.
  /// - Complexity: O(log *n*).
  public func id(at path: RowPath) throws -> Row.ID? {
    try followed.withRows { try $0.rows.id(at: path) }.map { Row._id(of: $0) }
  }

  /// Returns the index path of a row, or `nil` if it is not in the result.
  ///
  /// - Throws: The errors of reading rows.
  /// - Complexity: O(log *n*); O(*n*) while the order is frozen.
  public func path(of id: Row.ID) throws -> RowPath? {
    try followed.withRows { try $0.rows.path(of: Row._object(of: id), in: $0.reader) }
  }

  /// Returns the rows in a range of numbers, counted from the start across sections.
  ///
  ///     let third = try list.rows(in: 40..<60)      // the third page of twenty rows
  ///
  /// Numbers beyond the end of the result are ignored.
  ///
  /// - Throws: `StoreError` with the code `badValue`; the errors of reading rows.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(in numbers: Range<Int>) throws -> [Row] {
    try followed.withRows { try rows($0.rows.ids(in: numbers), $0) }
  }

  /// Returns the rows in a range of numbers, counted from the start of a section.
  ///
  /// Numbers beyond the end of the section are ignored; a section that does not exist has no rows.
  ///
  /// - Throws: `StoreError` with the code `badValue`; the errors of reading rows.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(inSection section: Int, _ numbers: Range<Int>) throws -> [Row] {
    try followed.withRows { try rows($0.rows.ids(inSection: section, numbers), $0) }
  }

  /// Returns the whole result as a value.
  ///
  /// - Throws: `StoreError` with the code `badValue`; the errors of reading rows.
  /// - Complexity: O(*n* log *n*).
  public func fetched() throws -> Results<Row> {
    try followed.withRows { shown in
      let ids = try shown.rows.ids.sections
      let source = try source(of: ids.flatMap(\.rows), shown)
      let sections = try ids.map { section in
        ListSection<Row>(name: section.name, rows: try shown.objects(section.rows).map { try source.row($0) })
      }
      return Results(position: shown.position, at: shown.time, sections: sections)
    }
  }

  /// Returns rows by id, with the objects that the request prefetches; skips missing ids.
  private func rows(_ ids: [ObjectID], _ shown: RowView) throws -> [Row] {
    let source = try source(of: ids, shown)
    return try shown.objects(ids).map { try source.row($0) }
  }

  private func source(of ids: [ObjectID], _ shown: RowView) throws -> RowSource {
    RowSource(
      followed.origins.origin(at: shown.position),
      prefetched: try Prefetched(from: ids, along: request.prefetched, in: shown.reader))
  }
}

/// A section of results that are read row by row.
public struct ResultSection: Sendable, Hashable {
  /// The name of the section; empty if the request has no sections.
  public let name: String
  /// The number of rows.
  public let count: Int
  /// The title that leads to the section in an index beside the list.
  package var indexTitle: String { SectionIndex.title(of: name) }
}

// MARK: - Moving on

extension LiveResults {
  /// Moves the results to the head, or to the context's present state.
  ///
  /// - Returns: The change, or `nil` if nothing changed. With `.everyCommit`, the change of the next commit that made
  ///   one. In a context it leads from the context's former position to the present one, which are the same unless the
  ///   context was rebased or saved.
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names; `expired` in a context.
  /// - Complexity: O(*k* log *n*) for *k* rows that changed since; in a context O(*n* log *n*) for a reset.
  ///
  /// Results at a chosen position, see ``move(to:)``, stay there.
  @discardableResult
  public func update() throws -> Change<Difference<Row.ID>>? { try followed.update().map(typed) }

  /// The differences of this result as they occur; each step of a loop moves the result on.
  ///
  /// Nothing is queued: a slow loop receives one difference for everything that it missed, unless every commit was
  /// requested. The loop ends when its task is cancelled, and throws when the store is closed. Of several loops at
  /// once, each difference goes to one.
  public var changes: Feed<Change<Difference<Row.ID>>> {
    let followed = followed
    return Feed<ResultsChange> { followed.source }.converted { self.typed($0) }
  }

  /// Moves the results to a position, backward or forward, and keeps them there.
  ///
  ///     let change = try recipes.move(to: 120)     // a slider over the history
  ///     try recipes.move(to: nil)                  // back to the head, and on with it
  ///
  /// All later reads are of that position, with the model of that position. ``update()`` and ``changes`` report nothing
  /// until the results are moved to the head. While the order is frozen, a move changes the shown rows as a difference at
  /// the head does.
  ///
  /// The state at the position is kept between two moves, as its difference from the head.
  ///
  /// - Parameter target: At least 1, and not beyond the head; `nil` for the head, which the results follow again.
  /// - Returns: The difference from the rows shown before, or `nil` if they are the same. It is a reset if the model
  ///   changed on the way in what the request reaches.
  /// - Throws: `StoreError`: `notFound` for 0 and positions beyond the head, `badRequest` if the model of the position
  ///   lacks what the request names, and for a position in an editing context; in these cases nothing changes. `expired`
  ///   if the kept state would exceed ``StoreOptions/viewOfPastLimitInBytes``.
  /// - Complexity: O(*k* log *n*) for *k* events between the two positions; for the first move, between the position
  ///   and the head.
  @discardableResult
  public func move(to target: Position?) throws -> Change<Difference<Row.ID>>? {
    try followed.move(to: target).map(typed)
  }

  /// Whether the results stay at a chosen position.
  public var isPinned: Bool { followed.isPinned }

  /// Replaces the followed request.
  ///
  /// - Returns: The difference between the rows shown before and the new result at the head. Sections of both results
  ///   that are in another order are deleted and inserted. A reset if the rows shown before cannot be read, and in an
  ///   editing context.
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; then nothing changes.
  /// - Complexity: O(*n* log *n*) for *n* rows of both results.
  @discardableResult
  public func change(to request: Request<Row>) throws -> Change<Difference<Row.ID>> {
    let change = try followed.change(to: request.fetch)
    kept.withLock { $0 = request }
    return typed(change)
  }

  /// Keeps the rows in their places, for example during an edit.
  ///
  /// Changed rows are updated in place and deleted rows are removed; moves and new rows wait for ``thawOrder()``. A
  /// reset ends it.
  ///
  ///     try tags.freezeOrder()
  ///     try context.relate(task, \.tags, to: tag)       // its count changes, and it stays under the finger
  ///     list.perform(try tags.update())
  ///     list.perform(try tags.thawOrder())           // now it moves
  ///
  /// - Parameter appendingNewRows: Whether new rows are shown at the end, for a list in which the user also adds rows.
  ///   In a result with sections they wait all the same.
  /// - Throws: The errors of reading rows.
  /// - Complexity: O(*n*) in time and memory, for *n* rows.
  public func freezeOrder(appendingNewRows: Bool = false) throws {
    try followed.freezeOrder(appendingNewRows: appendingNewRows)
  }

  /// Whether the order is frozen.
  public var isOrderFrozen: Bool { followed.isOrderFrozen }

  /// Releases the order: the rows move to their true places.
  ///
  /// - Returns: The moves and inserts that waited, at the same position, or `nil` if none waited.
  /// - Throws: The errors of reading rows.
  @discardableResult
  public func thawOrder() throws -> Change<Difference<Row.ID>>? { try followed.thawOrder().map(typed) }
}
