import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A request's result that stays current, is read row by row and reports its exact changes.
///
///     let recipes = try store.liveResults(of: request)
///     show(recipes.count, recipes.sections)
///     for try await change in recipes.changes {
///       list.perform(change.difference.viewPlan)      // the rows are those of change.to by now
///     }
///
/// The first result is available at once. All reads are of one ``position``, which moves only by ``update()``, by a
/// step of ``changes``, or to any position by ``move(to:)``, and each move reports its
/// difference. So a list view that applies each difference as it arrives never shows rows other than the reported ones,
/// however much is written meanwhile.
///
/// Rows are read on demand: by index path, by id, or by pages. Memory does not grow with what is read, and all results
/// of equal requests share the ranks of one result (about the size of the rows' sort keys).
///
/// It may be used from any thread. Several loops over ``changes`` share the differences: each difference goes to one of
/// them.
public final class LiveResults: RowReading, @unchecked Sendable {
  public let pageSize: Int
  let store: Store
  let wakeup: Wakeup
  private let granularity: ChangeGranularity

  /// Protects all members below.
  private let lock = Locked(())
  private var live: LiveRequest
  private var cursor: RequestGroupCursor
  /// The chosen position at which the results stay, or `nil` while they follow the head.
  private var chosen: Position?
  /// The walk that is used to read a chosen position or, in stepwise mode, any position.
  private var walk: RequestGroupWalk?
  private var frozen = FrozenOrder()

  /// - Parameter wakeup: Signaled when there may be another change.
  init(
    _ request: FetchRequest, of store: Store, pageSize: Int = 50, granularity: ChangeGranularity = .coalesced,
    wakeup: Wakeup? = nil
  ) throws {
    precondition(pageSize > 0, "A page has at least one row.")
    self.store = store
    let wakeup = wakeup ?? Wakeup(measuring: store.files.metrics.feedLag)
    self.wakeup = wakeup
    self.pageSize = pageSize
    self.granularity = granularity
    live = try store.notifier.follow(request, wakeup)
    let start = try live.withHead { reader, _ in reader.position }
    cursor = RequestGroupCursor([.rows(of: request)], from: start, granularity: granularity)
  }

  deinit {
    store.notifier.unfollow(live, wakeup)
  }

  /// The followed request; see ``change(to:)``.
  public var request: FetchRequest { lock.withLock { live.request } }

  /// The position of the store that the results show.
  public var position: Position { lock.withLock { present } }

  /// The position that the results show. The caller holds the lock.
  private var present: Position { chosen ?? cursor.position }

  public func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result {
    try lock.withLock {
      try readRows { window, reader in
        try body(
          RowView(
            rows: frozen.ids.map { .held($0) } ?? .window(window), entity: window.request.entity,
            reader: reader, position: present))
      }
    }
  }

  /// Reads the rows in their true order, even while an order is frozen.
  ///
  /// The caller holds the lock.
  private func readRows<Result>(_ body: (RankedWindow, Reader) throws -> Result) throws -> Result {
    // A chosen or stepwise position may be far from the head; a walk avoids computing the whole way for each read.
    guard chosen != nil || granularity == .everyCommit else { return try live.read(at: cursor.position, body) }
    return try live.read(at: present, &walk, body)
  }
}

extension LiveResults {
  /// Moves the results to the head.
  ///
  /// - Returns: The change, or `nil` if nothing changed. With `.everyCommit`, the change of the next commit that made
  ///   one.
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  /// - Complexity: O(*k* log *n*) for *k* rows that changed since.
  ///
  /// Results at a chosen position, see ``move(to:)``, stay there.
  @discardableResult
  public func update() throws -> ResultsChange? {
    try lock.withLock {
      wakeup.reset()
      guard chosen == nil else { return nil }
      let start = present
      while let change = try cursor.next([live], in: store, reportedFrom: start)?.onlyChange.reported(from: start) {
        // A change that only waits for the release of the order is not visible, but later changes may be.
        if let visible = try show(change) { return visible }
      }
      return nil
    }
  }

  /// Returns the visible part of a change if the order is frozen, or `nil` if nothing is visible.
  private func show(_ change: ResultsChange) throws -> ResultsChange? {
    try frozen.take(change, isSectioned: live.request.section != nil)
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
  ///   lacks what the request names; in both cases nothing changes. `expired` if the kept state would exceed
  ///   ``StoreOptions/viewOfPastLimitInBytes``.
  /// - Complexity: O(*k* log *n*) for *k* events between the two positions; for the first move, between the position
  ///   and the head.
  @discardableResult
  public func move(to target: Position?) throws -> ResultsChange? {
    try lock.withLock {
      let (change, head) = try live.move(&walk, from: present, to: target)
      chosen = target
      if target == nil {
        walk = nil
        cursor.move(to: head)
        // A waiting loop over the changes resumes.
        wakeup.signal()
      }
      return change.isEmpty ? nil : try show(change)
    }
  }

  /// Whether the results stay at a chosen position.
  public var isPinned: Bool { lock.withLock { chosen != nil } }

  /// Replaces the followed request.
  ///
  /// - Returns: The difference between the rows shown before and the new result at the head. Sections of both results
  ///   that are in another order are deleted and inserted. A reset if the rows shown before cannot be read.
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks; then nothing changes.
  /// - Complexity: O(*n* log *n*) for *n* rows of both results.
  @discardableResult
  public func change(to request: FetchRequest) throws -> ResultsChange {
    try lock.withLock {
      let (old, from) = (live, present)
      let new = try store.notifier.follow(request, wakeup)
      do {
        // The new result and the changes up to it are read at one position.
        let (ids, to, changed) = try new.withHead { reader, head in
          let window = try RankedWindow(RankedKeys(head.base), in: reader.reader)
          return (
            try VisibleRows.window(window).ids, reader.position,
            try old.changedIDs(since: from, in: reader, of: store.keeper)
          )
        }
        var change = ResultsChange.reset(from: from, to: to)
        if let changed, let shown = try frozen.ids ?? shownIDs() {
          let difference = try Difference(from: shown, to: ids) { changed.contains($0) ? .keys : .order }
          change = ResultsChange(from: from, to: to, difference: difference)
        }
        if new !== old { store.notifier.unfollow(old, wakeup) }
        (live, frozen, chosen, walk) = (new, FrozenOrder(), nil, nil)
        cursor = RequestGroupCursor([.rows(of: request)], from: to, granularity: granularity)
        return change
      } catch {
        if new !== old { store.notifier.unfollow(new, wakeup) }
        throw error
      }
    }
  }

  /// Returns the shown ids, or `nil` if the shown position is out of reach.
  private func shownIDs() throws -> SectionedIDs<ObjectID>? {
    do {
      return try readRows { window, _ in try VisibleRows.window(window).ids }
    } catch let error as StoreError {
      guard error.isOfThePast else { throw error }
      return nil
    }
  }

  /// Keeps the rows in their places, for example during an edit.
  ///
  /// Changed rows are updated in place and deleted rows are removed; moves and new rows wait for ``thawOrder()``.
  ///
  /// - Complexity: O(*n*) in time and memory, for *n* rows.
  /// - Throws: The errors of reading rows.
  public func freezeOrder() throws {
    try lock.withLock {
      try frozen.freeze { try readRows { window, _ in try VisibleRows.window(window).ids } }
    }
  }

  /// Whether the order is frozen.
  public var isOrderFrozen: Bool { lock.withLock { frozen.ids != nil } }

  /// Releases the order: the rows move to their true places.
  ///
  /// - Returns: The moves and inserts that waited, at the same position, or `nil` if none waited.
  /// - Throws: The errors of reading rows.
  @discardableResult
  public func thawOrder() throws -> ResultsChange? {
    try lock.withLock {
      try frozen.thaw(at: present) { try readRows { window, _ in try VisibleRows.window(window).ids } }
    }
  }
}

private extension LiveRequest {
  /// Returns the rows that changed since a position, or `nil` if they cannot be determined.
  ///
  /// It takes no lock of a request: the caller may hold the lock of another request.
  func changedIDs(
    since start: Position, in reader: borrowing StoreReader, of store: ProjectionKeeper
  ) throws -> Set<ObjectID>? {
    guard start < reader.position else { return [] }
    do {
      let resolved = try ResolvedRequest(checking: request, in: reader.resolvedModel)
      // Rows cannot be compared if the model changed in what the request reaches.
      guard try !reader.isReset(resolved, model: reader.resolvedModel, from: start, to: reader.position) else {
        return nil
      }
      let dependents = RequestDependents(resolved, in: reader.resolvedModel)
      let changes = try CommitRange(from: start, to: reader, of: store).netChanges(of: resolved, dependents)
      return Set(changes.rows.lazy.filter(\.isChanged).map(\.id))
    } catch is SpanTooLarge {
      return nil
    } catch let error as StoreError {
      guard error.isOfThePast else { throw error }
      return nil
    }
  }
}

private extension StoreError {
  /// Whether the error means that an earlier result is out of reach.
  ///
  /// Too much has changed since, or the model lacks what the request names.
  var isOfThePast: Bool { code == .expired || code == .badRequest }
}
