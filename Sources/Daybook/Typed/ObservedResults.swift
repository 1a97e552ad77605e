import DaybookDiff
import DaybookModel
import DaybookRuntime
import Observation

/// A request's result for a user interface: observable, and updated on the main actor.
///
///     @MainActor final class RecipeList {
///       let recipes: ObservedResults<Record<Recipe>>
///       init(_ store: Store) throws {
///         recipes = try ObservedResults(of: Recipe.all.sorted(by: \.name), in: store)
///       }
///     }
///
/// It is a window on a result of any size. What a list must know of all rows is there without reading them: ``count``
/// and ``sections``. Rows are read when they are asked for, by index path or in ranges.
///
/// A later commit, by any process, moves the result on the main actor, one difference at a time: first the result is of
/// the new ``position``, then ``lastChange`` holds what to animate. A view that read a row, ``count`` or ``sections``
/// is drawn again.
///
/// A row has all values of its object, so each of them counts as shown, its times and to-one links included, whatever
/// the request names: the rows always are of ``position``. Changes of related objects are included if the request
/// names them with ``Request/showing(_:)``.
///
/// A form shows an editing context in the same way: each edit, undo and save changes the rows.
///
///     ingredients = try ObservedResults(of: Ingredient.where { $0.recipe == cake }, in: context)
///
/// It follows the store until it is released.
@MainActor @Observable
public final class ObservedResults<Row: ResultRow> {
  /// The sections in order, with their numbers of rows.
  public private(set) var sections: [ResultSection] = []
  /// The number of rows.
  public private(set) var count = 0
  /// The position of the state shown.
  public private(set) var position: Position
  /// The change that led to the state shown; `nil` for the first result.
  public var lastChange: Change<Difference<Row.ID>>? {
    _ = version
    return change
  }
  /// The reason why updates have ended, or `nil`.
  ///
  /// The store was closed, or its model lacks what the request names.
  public private(set) var failure: (any Error)?

  /// The number of changes that were shown. A context's edits may leave the position, and even the change, equal to the one
  /// before, of which observers are not told.
  private var version = 0
  @ObservationIgnored private var change: Change<Difference<Row.ID>>?
  @ObservationIgnored private let live: LiveResults<Row>
  /// Blocks of rows that were read since the last change, by the path of the first one: a later change may be of any object
  /// that rows lead to.
  @ObservationIgnored private var kept: [RowPath: [Row]] = [:]
  @ObservationIgnored private var follower: Task<Void, Never>?

  /// The number of rows that are read together.
  private static var blockSize: Int { 50 }
  /// The limit on the number of blocks; at the limit all of them are released.
  private static var maximumBlockCount: Int { 20 }

  /// Reads the result, and follows the store.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  /// - Complexity: As ``Store/liveResults(of:granularity:)``.
  public convenience init(of request: Request<Row>, in store: Store) throws {
    try self.init(try store.liveResults(of: request.observed))
  }

  /// Reads the result with the pending edits of a context, and follows the context.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `expired`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  public convenience init(of request: Request<Row>, in context: EditingContext) throws {
    try self.init(try context.liveResults(of: request.observed))
  }

  private init(_ live: LiveResults<Row>) throws {
    self.live = live
    position = live.position
    try readCounts()
    let followed = live.followed
    // The list is retained only during a change, so that waiting does not keep it alive.
    follower = Task { [weak self] in
      do {
        // A change and what follows from it are applied in one step, so that no observer sees one without the other.
        while try await followed.wakeup.next({ try self.map { try $0.takeNext() } ?? false }) == true {}
      } catch {
        self?.failure = error
      }
    }
  }

  deinit { follower?.cancel() }

  /// Returns the row at an index path.
  ///
  /// - Throws: `StoreError`: `notFound` for a path that is not in the result; `badValue` if a value does not fit its
  ///   property; `expired` if the rows shown cannot be read, in which case a reset follows; `closed`.
  /// - Complexity: O(1) for a row that was read with a neighbour since the last change; else O(log *n*).
  public func row(at path: RowPath) throws -> Row {
    let (shown, start) = (shown, path.row / Self.blockSize * Self.blockSize)
    let block = RowPath(section: path.section, row: start)
    if kept[block] == nil {
      if kept.count == Self.maximumBlockCount { kept = [:] }
      // A view asks for neighbours next. One that cannot be read is its own reader's error.
      kept[block] = try? shown.rows(inSection: path.section, start..<(start + Self.blockSize))
    }
    guard let rows = kept[block], rows.indices.contains(path.row - start) else { return try shown.row(at: path) }
    return rows[path.row - start]
  }

  /// Returns the rows in a range of numbers, counted from the start across sections.
  ///
  /// Numbers beyond the end of the result are ignored.
  ///
  /// - Throws: The errors of ``row(at:)``.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(in numbers: Range<Int>) throws -> [Row] { try shown.rows(in: numbers) }

  /// Returns the rows in a range of numbers, counted from the start of a section.
  ///
  /// Numbers beyond the end of the section are ignored; a section that does not exist has no rows.
  ///
  /// - Throws: The errors of ``row(at:)``.
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(inSection section: Int, _ numbers: Range<Int>) throws -> [Row] {
    try shown.rows(inSection: section, numbers)
  }

  /// Returns the identity of the row at an index path, or `nil` if there is no such row.
  ///
  /// - Throws: The errors of ``row(at:)``.
  /// - Complexity: O(log *n*).
  public func id(at path: RowPath) throws -> Row.ID? { try shown.id(at: path) }

  /// Returns the index path of a row, or `nil` if it is not in the result.
  ///
  /// - Throws: The errors of ``row(at:)``.
  /// - Complexity: O(log *n*).
  public func path(of id: Row.ID) throws -> RowPath? { try shown.path(of: id) }

  /// Replaces the request; ``lastChange`` is then the difference of the results, or a reset in an editing context.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; then nothing changes.
  /// - Complexity: O(*n* log *n*) for *n* rows of both results.
  public func change(to request: Request<Row>) throws {
    try show(try live.change(to: request.observed))
  }

  /// The result, for a read that a view depends on.
  private var shown: LiveResults<Row> {
    _ = version
    return live
  }

  /// Applies the next change.
  ///
  /// - Returns: True if there was a change, or `nil` if nothing changed yet.
  private func takeNext() throws -> Bool? {
    guard let change = try live.update() else { return nil }
    try show(change)
    return true
  }

  private func show(_ change: Change<Difference<Row.ID>>) throws {
    kept = [:]
    try readCounts()
    self.change = change
    position = change.to
    version += 1
  }

  private func readCounts() throws {
    sections = try live.sections
    count = sections.reduce(0) { $0 + $1.count }
  }
}

private extension Request {
  /// The request whose changes are the changes of everything that its rows hold.
  var observed: Request {
    var request = self
    request.fetch.showsWholeObjects = true
    return request
  }
}
