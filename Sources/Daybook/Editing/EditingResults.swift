import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The live result of a request in an editing context, which includes the pending edits.
///
///     let ingredients = try context.results(of: request)
///     try context.insert("Ingredient", ["name": "Flour"])
///     let change = try ingredients.update()               // the new row
///     try context.undo()
///     let back = try ingredients.update()                 // it goes again
///
/// Reads return the state as of the last ``update()``, as with ``LiveResults``; so a list that applies each change as
/// it comes never reads rows that no change has announced. Several edits between two updates are reported as one
/// difference.
///
/// Saving, rebasing and cancelling are reported as differences too. If more has changed than the context keeps, or the
/// model has changed, the change is a reset.
public final class EditingResults: RowReading, @unchecked Sendable {
  public let pageSize: Int
  /// The request.
  public let request: FetchRequest
  let context: EditingContext
  let wakeup = Wakeup()

  // Protected by the context's lock.
  private var rows: RankBase
  private var dependents: RequestDependents
  private var model: ResolvedModel
  /// The version of the context that is shown.
  private(set) var version: Int
  /// The position of the context at that version.
  private var base: Position
  private var frozen = FrozenOrder()

  /// - Parameter tip: Reads the context's present state.
  init(_ request: FetchRequest, of context: EditingContext, pageSize: Int, over tip: Reader) throws {
    precondition(pageSize > 0, "A page has at least one row.")
    self.request = request
    self.context = context
    self.pageSize = pageSize
    let resolved = try tip.resolve(request)
    rows = try RankBase(resolved, in: tip, mayCount: false, usesConstraints: false)
    dependents = RequestDependents(resolved, in: tip.model)
    model = tip.model
    version = context.version
    base = context.root.base.position
    context.followers.append(EditingFollower(results: self))
  }

  /// The position of the store that the context was on at the last ``update()``.
  public var position: Position { context.locked { base } }

  public func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result {
    try context.locked {
      try context.withTip { tip in
        let reader = try requireShown(over: tip)
        return try body(
          RowView(
            rows: frozen.ids.map { .held($0) } ?? .window(try window(in: reader)), entity: rows.request.entity,
            reader: reader, position: base))
      }
    }
  }

  private func window(in reader: Reader) throws -> RankedWindow {
    try RankedWindow(RankedKeys(rows), in: reader)
  }

  /// Returns the reader of the state shown, or `nil` if that state is not kept.
  private func shown(over tip: Reader) -> Reader? {
    guard let transitions = context.transitions(since: version), tip.model === model || transitions.isEmpty else {
      return nil
    }
    return transitions.reversed().reduce(tip) { $0.adding($1.inverse) }
  }

  private func requireShown(over tip: Reader) throws -> Reader {
    guard let reader = shown(over: tip) else {
      throw StoreError(
        .expired, "More was edited than is kept for results that are not updated.",
        advice: "Call update(), which gives a reset.")
    }
    return reader
  }

  /// Moves the shown state to the context's present one.
  ///
  /// - Returns: The change, or `nil` if nothing changed. It leads from the context's former position to the present
  ///   one, which are the same unless the context was rebased or saved; the commits between them are its causes.
  /// - Throws: `StoreError`: `expired`, `closed`, `badRequest` if a later model lacks what the request names.
  /// - Complexity: O(*k* log *n*) for *k* rows that changed; O(*n* log *n*) for a reset.
  @discardableResult
  public func update() throws -> ResultsChange? {
    try context.locked {
      wakeup.reset()
      guard version < context.version else { return nil }
      return try context.withTip { tip in
        let from = base
        let former = shown(over: tip)
        guard let former, let transitions = context.transitions(since: version) else { return try reset(from, tip) }
        var collector = CandidateCollector(dependents, reader: tip)
        for caused in transitions.changes { try collector.take(caused.change, of: caused.cause) }
        let net = try NetChanges(rows.request, candidates: collector.candidates, old: former, new: tip)
        rows.apply(net.moves)
        (version, base) = (context.version, context.root.base.position)
        context.forgetTransitions()
        let (difference, causes) = try net.difference(endingAt: RankedKeys(rows), in: tip)
        guard !difference.isEmpty else { return nil }
        let change = ResultsChange(
          from: from, to: base, difference: difference, causes: causes.filter { !$0.value.isEmpty })
        return try frozen.take(change, isSectioned: request.section != nil)
      }
    }
  }

  private func reset(_ from: Position, _ tip: Reader) throws -> ResultsChange {
    let resolved = try tip.resolve(request)
    rows = try RankBase(resolved, in: tip, mayCount: false, usesConstraints: false)
    dependents = RequestDependents(resolved, in: tip.model)
    model = tip.model
    (version, base) = (context.version, context.root.base.position)
    context.forgetTransitions()
    frozen.forget()
    return .reset(from: from, to: base)
  }

  /// Keeps the rows in place while the user edits.
  ///
  /// Changed rows are updated in place and deleted rows removed, while moves and new rows wait for ``thawOrder()``.
  /// A reset ends it.
  ///
  /// - Throws: The same errors as reading.
  /// - Complexity: O(*n*) in time and memory, for *n* rows.
  public func freezeOrder() throws {
    try context.locked { try frozen.freeze { try idsInPlace() } }
  }

  /// Keeps the rows in place while the user edits, and shows new ones at the end.
  ///
  /// As ``freezeOrder()``, for a list in which the user also adds rows. In a result with sections new rows wait.
  ///
  /// - Throws: The same errors as reading.
  /// - Complexity: O(*n*) in time and memory, for *n* rows.
  public func freezeOrderAppendingNewRows() throws {
    try context.locked { try frozen.freeze(appendingNewRows: true) { try idsInPlace() } }
  }

  /// Whether the order is frozen.
  public var isOrderFrozen: Bool { context.locked { frozen.ids != nil } }

  /// Moves the rows to their places in the request's order.
  ///
  /// - Returns: The moves and inserts that waited and belong to the state shown, or `nil` if none waited.
  /// - Throws: The same errors as reading.
  @discardableResult
  public func thawOrder() throws -> ResultsChange? {
    try context.locked { try frozen.thaw(at: base) { try idsInPlace() } }
  }

  /// The ids in the request's order, whether or not an order is frozen. Call it with the lock held.
  private func idsInPlace() throws -> SectionedIDs<ObjectID> {
    try context.withTip { try VisibleRows.window(window(in: requireShown(over: $0))).ids }
  }

  /// The differences in sequence: each iteration updates the state shown. Ends when its task is cancelled.
  public var changes: Feed<ResultsChange> { Feed { self } }
}
