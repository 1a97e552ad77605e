import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The rows of a request in an editing context, which move on by a call; see ``LiveResults``.
final class ContextResults: FollowedResults, @unchecked Sendable {
  let context: EditingContext
  let wakeup = Wakeup()

  // Protected by the context's lock.
  private var asked: FetchRequest
  /// The request at the time that is shown.
  private var resolved: ResolvedRequest
  private var rows: RankBase
  private var dependents: RequestDependents
  private var model: ResolvedModel
  /// The version of the context that is shown.
  private(set) var version: Int
  /// The position of the context at that version.
  private var base: Position
  private var frozen = FrozenOrder()
  /// Whether the rows are of no state, because moving them failed.
  private var isBroken = false
  /// The moments at which the time changes the rows; `nil` for a request that does not read the time.
  private var turning: TurningRows?
  /// Whether the store's clock may signal ``wakeup``.
  private var followsClock = false

  /// - Parameter tip: Reads the context's present state.
  init(_ request: FetchRequest, of context: EditingContext, over tip: Reader) throws {
    asked = request
    self.context = context
    resolved = try tip.resolve(context.timed(request))
    rows = try RankBase(resolved, in: tip, mayCount: false, usesConstraints: false)
    dependents = RequestDependents(resolved, in: tip.model)
    model = tip.model
    version = context.version
    base = context.root.base.position
    turning = try moments(of: resolved, in: tip)
    awaitMoment()
    context.followers.append(EditingFollower(results: self))
  }

  deinit {
    if followsClock { context.store.notifier.unfollowClock(wakeup) }
  }

  /// Returns the moments at which the time changes the rows of a request, and follows the clock if there may be any.
  private func moments(of request: ResolvedRequest, in tip: Reader) throws -> TurningRows? {
    guard request.readsTime, let now = request.request.now else { return nil }
    let turning = try TurningRows(of: request, after: now, in: tip)
    if !followsClock {
      try context.store.notifier.followClock(wakeup)
      followsClock = true
    }
    return turning
  }

  /// Has ``wakeup`` signaled at the first moment at which the time changes the rows.
  private func awaitMoment() {
    guard followsClock else { return }
    guard let turning, let now = resolved.request.now else {
      context.store.notifier.unfollowClock(wakeup)
      followsClock = false
      return
    }
    context.store.notifier.wake(wakeup, at: turning.next(after: now))
  }

  /// The position of the store that the context was on at the last ``update()``.
  var position: Position { context.locked { base } }

  func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result {
    try context.locked {
      try context.withTip { tip in
        let reader = try requireShown(over: tip)
        return try body(
          RowView(
            rows: frozen.ids.map { .held($0) } ?? .window(try window(in: reader)), entity: rows.request.entity,
            reader: rows.rowReader(over: reader), position: base))
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
    guard !isBroken, let reader = shown(over: tip) else {
      throw StoreError(
        .expired, "More was edited than is kept for results that are not updated.",
        advice: "Call update(), which gives a reset.")
    }
    return reader
  }

  func update() throws -> ResultsChange? {
    try context.locked {
      wakeup.reset()
      guard version < context.version || resolved.readsTime || isBroken else { return nil }
      return try context.withTip { tip in
        let from = base
        let former = shown(over: tip)
        guard !isBroken, let former, let transitions = context.transitions(since: version) else {
          return try reset(from, tip)
        }
        var collector = CandidateCollector(dependents, reader: tip)
        for caused in transitions.changes { try collector.take(caused.change, of: caused.cause) }
        let later = try timed(in: tip)
        isBroken = true
        let turned = try resolved.request.now.flatMap { start in
          try later.request.now.flatMap { try turning?.rows(after: start, through: $0) }
        }
        let net = try rows.move(
          by: RowChanges(from: resolved, to: later, collector.candidates, new: tip, turned: turned) { former })
        try turning?.update(collector.candidates.keys, of: later, in: tip)
        (resolved, isBroken) = (later, false)
        awaitMoment()
        (version, base) = (context.version, context.root.base.position)
        context.forgetTransitions()
        let change = try net.change(from: from, to: base, endingAt: RankedKeys(rows), in: tip).withCauses()
        guard !change.difference.isEmpty else { return nil }
        return try frozen.take(change, isSectioned: asked.section != nil)
      }
    }
  }

  /// Returns the request at the present time, which never goes back.
  private func timed(in tip: Reader) throws -> ResolvedRequest {
    guard resolved.readsTime, let shown = resolved.request.now, let now = context.timed(asked).now else {
      return resolved
    }
    return now > shown ? try tip.resolve(asked.at(now)) : resolved
  }

  private func reset(_ from: Position, _ tip: Reader) throws -> ResultsChange {
    let resolved = try tip.resolve(context.timed(asked))
    let made = try RankBase(resolved, in: tip, mayCount: false, usesConstraints: false)
    turning = try moments(of: resolved, in: tip)
    (rows, self.resolved, isBroken) = (made, resolved, false)
    dependents = RequestDependents(resolved, in: tip.model)
    model = tip.model
    (version, base) = (context.version, context.root.base.position)
    context.forgetTransitions()
    frozen.forget()
    awaitMoment()
    return .reset(from: from, to: base)
  }

  func freezeOrder(appendingNewRows: Bool) throws {
    try context.locked { try frozen.freeze(appendingNewRows: appendingNewRows) { try idsInPlace() } }
  }

  var isOrderFrozen: Bool { context.locked { frozen.ids != nil } }

  func thawOrder() throws -> ResultsChange? {
    try context.locked { try frozen.thaw(at: base, to: { try idsInPlace() }, keys: { try key(of: $0) }) }
  }

  /// Returns the key of a row, if rows are groups.
  private func key(of id: ObjectID) throws -> [Value]? {
    guard asked.grouping != nil else { return nil }
    return try context.withTip { try rows.rowReader(over: requireShown(over: $0)).object(id)?.groupKey }
  }

  /// The ids in the request's order, whether or not an order is frozen. Call it with the lock held.
  private func idsInPlace() throws -> SectionedIDs<ObjectID> {
    try context.withTip { try VisibleRows.window(window(in: requireShown(over: $0))).ids }
  }

  var origins: any RowOrigins { context }

  /// A context shows pending edits, which have no place in the past.
  func move(to target: Position?) throws -> ResultsChange? {
    guard target == nil else {
      throw StoreError(
        .badRequest, "The results of an editing context stay at its state.", advice: "Move live results of the store.")
    }
    return try update()
  }

  var isPinned: Bool { false }

  func change(to request: FetchRequest) throws -> ResultsChange {
    try context.locked {
      try context.withTip { tip in
        let former = asked
        asked = request
        do {
          return try reset(base, tip)
        } catch {
          asked = former
          throw error
        }
      }
    }
  }
}

private extension Change {
  /// Returns the change without causes of rows that only edits changed which are not saved.
  func withCauses() -> Change {
    Change(
      from: from, to: to, difference: difference, causes: causes.filter { !$0.value.isEmpty }, keys: keys,
      isReset: isReset)
  }
}
