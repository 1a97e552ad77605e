import DaybookDiff
import DaybookModel
import DaybookQuery
import Foundation

/// A request's result that stays current: it is read row by row, and says exactly how it changes.
///
///     let recipes = try store.liveResults(of: request)
///     show(recipes.count, recipes.sections)
///     for try await change in recipes.changes {
///       list.perform(change.difference.viewPlan)      // the rows are those of change.to by now
///     }
///
/// The first result is there at once. What is read is of one ``position``; it moves on only by ``update()``, a step of
/// ``changes`` or ``deliver(to:isolation:)``, or to any position by ``move(to:)``, and with it comes the difference. So a
/// list view that applies each difference as it comes never finds other rows than it was told of, however much is written
/// meanwhile.
///
/// Rows are read when they are looked at: by index path, by id, or by pages. Memory does not grow with what is read, and
/// all results of equal requests share one ordering (about the size of the rows' sort keys).
///
/// It may be used from any thread. Several loops over ``changes`` share the differences: each goes to one of them.
public final class LiveResults: RowReading, @unchecked Sendable {
  public let pageSize: Int
  let store: Store
  let wakeup = Wakeup()
  private let isStepwise: Bool

  /// Protects all members below.
  private let lock = NSLock()
  private var live: LiveRequest
  private var cursor: ChangeCursor
  /// The position that was chosen, where the results stay; nil while they go with the head.
  private var chosen: Position?
  /// What a chosen position, or a step, is read with.
  private var walk: RequestWalk?
  private var held = HeldOrder()

  init(_ request: FetchRequest, of store: Store, pageSize: Int, everyCommit isStepwise: Bool) throws {
    precondition(pageSize > 0, "A page has at least one row.")
    self.store = store
    self.pageSize = pageSize
    self.isStepwise = isStepwise
    live = try store.feeds.follow(request, wakeup, of: store)
    let start = try live.withHead { reader, _ in reader.position }
    cursor = ChangeCursor(at: start, stepwise: isStepwise)
  }

  deinit {
    store.feeds.unfollow(live, wakeup)
  }

  /// What is followed; see ``change(to:)``.
  public var request: FetchRequest { lock.withLock { live.request } }

  /// The state of the store that is shown.
  public var position: Position { lock.withLock { present } }

  /// To be read with the lock.
  private var present: Position { chosen ?? cursor.position }

  public func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result {
    try lock.withLock {
      try readRows { window, reader in
        try body(
          RowView(
            rows: held.ids.map { .held($0) } ?? .window(window), entity: window.ordering.base.request.entity,
            reader: reader, position: present))
      }
    }
  }

  /// Looks at the rows where they belong, whether or not they are held elsewhere. To be called with the lock.
  private func readRows<Result>(_ body: (OrderingWindow, Reader) throws -> Result) throws -> Result {
    // Far from the head each step would be a way from there.
    guard chosen != nil || isStepwise else { return try live.read(at: cursor.position, body) }
    return try live.read(at: present, &walk, body)
  }
}

extension LiveResults {
  /// Goes to the head.
  ///
  /// - Returns: What changed; nil if nothing did. With `everyCommit` the change of the next commit that made one.
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  /// - Complexity: O(*k* log *n*) for *k* rows that changed since.
  ///
  /// While they stand at a chosen position, see ``move(to:)``, they stay there.
  @discardableResult
  public func update() throws -> ResultsChange? {
    try lock.withLock {
      wakeup.lower()
      guard chosen == nil else { return nil }
      let start = present
      while let change = try cursor.next(in: live)?.reported(from: start) {
        // One that only waits for the order to be let go is nothing to see, and others may be behind it.
        if let visible = try show(change) { return visible }
      }
      return nil
    }
  }

  /// What is to be seen of a change while the order may be held; nil if that is nothing.
  private func show(_ change: ResultsChange) throws -> ResultsChange? {
    try held.take(change, isSectioned: live.request.section != nil)
  }

  /// Goes to a position, back or on, and stays there.
  ///
  ///     let change = try recipes.move(to: 120)     // a slider over the history
  ///     try recipes.move(to: nil)                  // back to the head, and on with it
  ///
  /// What is read from then on is of that position, with the model of that time. ``update()`` and ``changes`` give
  /// nothing, until the results are moved to the head. While the order is held, a move changes what is shown as a
  /// difference of the head does.
  ///
  /// The state at the position is kept between two moves, as what differs from the head.
  ///
  /// - Parameter target: At least 1, and not beyond the head; nil for the head, and to go with it again.
  /// - Returns: What is different from what was shown; nil if nothing is. A reset where the model changed on the way in
  ///   what the request reaches.
  /// - Throws: `StoreError`: `notFound` for 0 and positions beyond the head, `badRequest` if the model of the position
  ///   lacks what the request names; then nothing changes. `expired` if what is kept would outgrow
  ///   ``StoreOptions/viewOfPastLimitInBytes``.
  /// - Complexity: O(*k* log *n*) for *k* events between the two positions; at first, between the position and the head.
  @discardableResult
  public func move(to target: Position?) throws -> ResultsChange? {
    try lock.withLock {
      let (change, head) = try live.move(&walk, from: present, to: target)
      chosen = target
      if target == nil {
        walk = nil
        cursor.move(to: head)
        // A loop over the changes that waits goes on.
        wakeup.raise()
      }
      return change.isEmpty ? nil : try show(change)
    }
  }

  /// Whether the results stay at a position that was chosen.
  public var isStanding: Bool { lock.withLock { chosen != nil } }

  /// Follows another request from now on.
  ///
  /// - Returns: The difference between what was shown and the new result at the head. Sections of both that come in
  ///   another order are deleted and inserted. A reset if what was shown cannot be read any more.
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; then nothing changes.
  /// - Complexity: O(*n* log *n*) for *n* rows of both results.
  @discardableResult
  public func change(to request: FetchRequest) throws -> ResultsChange {
    try lock.withLock {
      let (old, from) = (live, present)
      let new = try store.feeds.follow(request, wakeup, of: store)
      do {
        // All of the new result is of one position, and so is what has changed up to it.
        let (ids, to, changed) = try new.withHead { reader, head in
          let window = try OrderingWindow(ShiftedOrdering(head.ordering, in: reader.reader))
          return (try ShownRows.window(window).ids, reader.position, try old.changedIDs(since: from, in: reader))
        }
        var change = ResultsChange.reset(from: from, to: to)
        if let changed, let shown = try held.ids ?? shownIDs() {
          let difference = try Difference(from: shown, to: ids) { changed.contains($0) ? .keys : .order }
          change = ResultsChange(from: from, to: to, difference: difference)
        }
        if new !== old { store.feeds.unfollow(old, wakeup) }
        (live, held, chosen, walk) = (new, HeldOrder(), nil, nil)
        cursor.move(to: to)
        return change
      } catch {
        if new !== old { store.feeds.unfollow(new, wakeup) }
        throw error
      }
    }
  }

  /// The ids that are shown; nil if they cannot be read any more.
  private func shownIDs() throws -> SectionedIDs<ObjectID>? {
    do {
      return try readRows { window, _ in try ShownRows.window(window).ids }
    } catch let error as StoreError {
      guard error.isOfThePast else { throw error }
      return nil
    }
  }

  /// Keeps the rows where they are while a person edits: from now on changed rows are updated in place, deleted ones go,
  /// and moves and new rows wait for ``releaseOrder()``.
  ///
  /// - Complexity: O(*n*) in time and memory, for *n* rows.
  /// - Throws: As reading does.
  public func holdOrder() throws {
    try lock.withLock {
      try held.hold { try readRows { window, _ in try ShownRows.window(window).ids } }
    }
  }

  /// Whether the order is held.
  public var isHoldingOrder: Bool { lock.withLock { held.ids != nil } }

  /// Lets the rows go to where they belong.
  ///
  /// - Returns: The moves and inserts that waited, at the same position; nil if there are none.
  /// - Throws: As reading does.
  @discardableResult
  public func releaseOrder() throws -> ResultsChange? {
    try lock.withLock {
      try held.release(at: present) { try readRows { window, _ in try ShownRows.window(window).ids } }
    }
  }
}

extension LiveRequest {
  /// The rows of which anything changed since a position; nil if that cannot be told any more. It takes no lock: the
  /// caller may hold another request's.
  fileprivate func changedIDs(since start: Position, in reader: borrowing StoreReader) throws -> Set<ObjectID>? {
    guard start < reader.position else { return [] }
    do {
      let resolved = try ResolvedRequest(checking: request, in: reader.resolvedModel)
      // Rows that another model reaches otherwise cannot be compared.
      guard try !reader.isReset(resolved, model: reader.resolvedModel, from: start, to: reader.position) else {
        return nil
      }
      let watches = WatchTable(resolved.watches(in: reader.resolvedModel))
      let changes = try netChanges(since: start, in: reader, resolved, watches)
      return Set(changes.rows.lazy.filter(\.isChanged).map(\.id))
    } catch is SpanTooLarge {
      return nil
    } catch let error as StoreError {
      guard error.isOfThePast else { throw error }
      return nil
    }
  }
}

extension StoreError {
  /// Whether an earlier result is out of reach, because too much has changed since or the model lacks what it was made
  /// of.
  fileprivate var isOfThePast: Bool { code == .expired || code == .badRequest }
}

extension Store {
  /// A request's result that stays current.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - pageSize: How many rows a page has; see ``RowReading/page(_:)``.
  ///   - isStepwise: Whether each commit that changes the result is a difference of its own.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* rows if nobody follows an equal request yet, else O(1).
  public func liveResults(
    of request: FetchRequest, pageSize: Int = 50, everyCommit isStepwise: Bool = false
  ) throws -> LiveResults {
    try LiveResults(request, of: self, pageSize: pageSize, everyCommit: isStepwise)
  }
}
