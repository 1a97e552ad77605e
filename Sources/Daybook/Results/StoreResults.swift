import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The rows of a request in a store, which move on by a call; see ``LiveResults``.
///
/// All results of equal requests share the ranks of one result (about the size of the rows' sort keys).
final class StoreResults: FollowedResults, @unchecked Sendable {
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
  /// The rows of projections at the chosen position.
  private var chosenStamp = ScopeStamp.stored
  /// The time of the chosen position, if the request reads the time.
  private var chosenTime: Timestamp?
  private var frozen = FrozenOrder()

  init(_ request: FetchRequest, of store: Store, granularity: ChangeGranularity) throws {
    self.store = store
    wakeup = Wakeup(measuring: store.files.metrics.feedLag)
    self.granularity = granularity
    live = try store.notifier.follow([request], wakeup)[0]
    let (start, stamp, time) = try live.withHead { reader, head in (reader.position, reader.stamp, head.time) }
    cursor = RequestGroupCursor([.rows(of: request)], from: start, of: stamp, at: time, granularity: granularity)
  }

  deinit {
    store.notifier.unfollow(live, wakeup)
  }

  var position: Position { lock.withLock { present } }

  var origins: any RowOrigins { store }

  /// The position that the results show. The caller holds the lock.
  private var present: Position { chosen ?? cursor.position }

  /// The rows of projections that the results show. The caller holds the lock.
  private var stamp: ScopeStamp { chosen == nil ? cursor.stamp ?? .stored : chosenStamp }

  /// The time of what the results show, if the request reads the time. The caller holds the lock.
  private var shownTime: Timestamp? { chosen == nil ? cursor.time : chosenTime }

  func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result {
    try lock.withLock {
      try readRows { window, reader in
        try body(
          RowView(
            rows: frozen.ids.map { .held($0) } ?? .window(window), entity: window.request.entity,
            reader: reader, position: present, time: shownTime))
      }
    }
  }

  /// Reads the rows in their true order, even while an order is frozen.
  ///
  /// The caller holds the lock.
  private func readRows<Result>(_ body: (RankedWindow, Reader) throws -> Result) throws -> Result {
    // A chosen or stepwise position may be far from the head; a walk avoids computing the whole way for each read.
    guard chosen != nil || granularity == .everyCommit else {
      return try live.read(at: cursor.position, cursor.time, of: stamp, body)
    }
    return try live.read(at: present, shownTime, of: stamp, &walk, body)
  }
}

extension StoreResults {
  func update() throws -> ResultsChange? {
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

  func move(to target: Position?) throws -> ResultsChange? {
    try lock.withLock {
      var (stamp, time) = (stamp, shownTime)
      let (change, head) = try live.move(&walk, of: &stamp, at: &time, from: present, to: target)
      (chosen, chosenStamp, chosenTime) = (target, stamp, time)
      if target == nil {
        walk = nil
        cursor.move(to: head, of: stamp, at: time)
        // A waiting loop over the changes resumes.
        wakeup.signal()
      }
      return change.isEmpty ? nil : try show(change)
    }
  }

  var isPinned: Bool { lock.withLock { chosen != nil } }

  func change(to request: FetchRequest) throws -> ResultsChange {
    try lock.withLock {
      let (old, from) = (live, present)
      let new = try store.notifier.follow([request], wakeup)[0]
      do {
        // The new result and the changes up to it are read at one position.
        let former = stamp
        let time = shownTime
        let (ids, to, changed, stamp, now) = try new.withHead { reader, head in
          let window = try RankedWindow(RankedKeys(head.base), in: reader.reader)
          let isSame = new.scope == old.scope && reader.stamp == former
          return (
            try VisibleRows.window(window).ids, reader.position,
            isSame ? try old.changedIDs(since: from, time, in: reader, of: store.keeper) : nil, reader.stamp,
            head.time
          )
        }
        var change = ResultsChange.reset(from: from, to: to)
        if let changed, let shown = try frozen.ids ?? shownIDs() {
          let difference = try Difference(from: shown, to: ids) { changed.contains($0) ? .keys : .order }
          change = ResultsChange(from: from, to: to, difference: difference)
        }
        if new !== old { store.notifier.unfollow(old, wakeup) }
        (live, frozen, chosen, walk) = (new, FrozenOrder(), nil, nil)
        cursor = RequestGroupCursor(
          [.rows(of: request)], from: to, of: stamp, at: now, granularity: granularity)
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

  func freezeOrder(appendingNewRows: Bool) throws {
    try lock.withLock {
      try frozen.freeze(appendingNewRows: appendingNewRows) {
        try readRows { window, _ in try VisibleRows.window(window).ids }
      }
    }
  }

  var isOrderFrozen: Bool { lock.withLock { frozen.ids != nil } }

  func thawOrder() throws -> ResultsChange? {
    try lock.withLock {
      try frozen.thaw(at: present) {
        try readRows { window, _ in try VisibleRows.window(window).ids }
      } keys: { id in
        live.request.grouping == nil ? nil : try readRows { _, reader in try reader.object(id)?.groupKey }
      }
    }
  }
}

private extension LiveRequest {
  /// Returns the rows that changed since a position, or `nil` if they cannot be determined.
  ///
  /// It takes no lock of a request: the caller may hold the lock of another request.
  func changedIDs(
    since start: Position, _ time: Timestamp?, in reader: borrowing StoreReader, of store: ProjectionKeeper
  ) throws -> Set<ObjectID>? {
    guard request.grouping == nil else { return nil }
    guard start < reader.position else { return [] }
    do {
      let resolved = try ResolvedRequest(checking: request.at(time), in: reader.resolvedModel)
      // Rows cannot be compared if the model changed in what the request reaches.
      guard try !reader.isReset(resolved, model: reader.resolvedModel, from: start, to: reader.position) else {
        return nil
      }
      let dependents = RequestDependents(resolved, in: reader.resolvedModel)
      let range = CommitRange(from: start, to: reader, of: store)
      guard case .rows(let changes) = try range.changes(of: resolved, dependents) else { return nil }
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
