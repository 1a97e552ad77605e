import DaybookDiff
import DaybookModel
import DaybookQuery
import Foundation

/// A request that somebody follows: its ordering, kept up with the head and shared by all who follow it.
///
/// A follower is nothing but a position. What changed between it and the head is made from the commits in between, and
/// the ranks there from those at the head.
final class LiveRequest: @unchecked Sendable {
  let request: FetchRequest
  let followers: Followers
  private let store: Store

  /// Protects all members below; taken before a transaction begins, so that each one that holds it sees a head that is
  /// not before ``position``.
  private let lock = NSLock()
  private var resolved: ResolvedRequest?
  private var watches = WatchTable([])
  /// The model by which the request was resolved.
  private var model: ResolvedModel?
  private var ordering: Ordering?
  /// Where the ordering is.
  private var position = Position.empty
  /// The last coalesced change, for followers that are in the same place.
  private var last: ResultsChange?
  /// The last look at an earlier position.
  private var past: PastView?

  /// - Parameter position: From where on commits that touch the request are noted.
  init(_ request: FetchRequest, store: Store, from position: Position) {
    self.request = request
    self.store = store
    followers = Followers(from: position)
  }

  /// What is kept of the past may not be larger.
  var limitInBytes: Int { store.options.viewOfPastLimitInBytes }

  /// The most commits that followers of each single one get in one go.
  static let maximumStepCount = 64

  /// What changed since a position.
  ///
  /// - Returns: The change, if there is one, and the position up to which there are no others.
  func changes(since start: Position) throws -> (changes: [ResultsChange], through: Position) {
    try changes(since: start) { reader, ordering, previous, from in
      try coalesced(from: from, reader, ordering, previous)
    }
  }

  /// What each commit since a position changed; at most ``maximumStepCount`` commits are looked at.
  ///
  /// - Parameter walk: What the follower goes through the past with while it is behind.
  /// - Returns: The changes, and the position up to which there are no others.
  func steps(
    since start: Position, _ walk: inout RequestWalk?
  ) throws -> (changes: [ResultsChange], through: Position) {
    // Taken out while it is used: after a failure it may be of no use.
    var present = walk.take()
    let result = try changes(since: start) { reader, ordering, previous, from in
      if present == nil, from.next == reader.position { return try coalesced(from: from, reader, ordering, previous) }
      return try steps(from: from, &present, reader, ordering, previous)
    }
    walk = present
    return result
  }

  private func changes(
    since start: Position,
    _ make: (borrowing StoreReader, Ordering, Bringing?, _ from: Position) throws -> (
      changes: [ResultsChange], through: Position
    )
  ) throws -> (changes: [ResultsChange], through: Position) {
    let seen = store.feeds.seen
    return try withOrdering { reader, ordering, previous in
      try reader.requirePosition(start)
      let head = reader.position
      let from = followers.unchanged(since: start, seen: seen)
      guard from < head else { return ([], head) }
      guard try !reader.isReset(ordering.request, model: reader.resolvedModel, from: from, to: head) else {
        return ([.reset(from: start, to: head)], head)
      }
      do {
        return try make(reader, ordering, previous, from)
      } catch is SpanTooLarge {
        return ([.reset(from: start, to: head)], head)
      } catch let error as DifferenceError {
        // The ordering is out of step: it is made anew the next time.
        self.ordering = nil
        throw error
      }
    }
  }

  /// What changed from a position to the head, as one change.
  private func coalesced(
    from: Position, _ reader: borrowing StoreReader, _ ordering: Ordering, _ previous: Bringing?
  ) throws -> (changes: [ResultsChange], through: Position) {
    let head = reader.position
    if let last, last.from == from, last.to == head { return (last.isEmpty ? [] : [last], head) }
    let net = try netChanges(since: from, in: reader, previous)
    let (difference, causes) = try net.difference(over: ordering, in: reader.reader)
    let change = ResultsChange(from: from, to: head, difference: difference, causes: causes)
    last = change
    return (change.isEmpty ? [] : [change], head)
  }

  /// The next changes commit by commit.
  private func steps(
    from: Position, _ kept: inout RequestWalk?, _ reader: borrowing StoreReader, _ ordering: Ordering,
    _ previous: Bringing?
  ) throws -> (changes: [ResultsChange], through: Position) {
    let limit = limitInBytes
    var walk = try walk(at: from, kept.take(), reader, ordering, previous)
    let end = min(reader.position, Position(from.number + UInt64(LiveRequest.maximumStepCount)))
    var changes: [ResultsChange] = []
    while walk.position < end {
      let change = try walk.move(to: walk.position.next, in: reader, limitInBytes: limit)
      if !change.isEmpty { changes.append(change) }
    }
    // At the head nothing more is needed than the ordering that all share.
    if end < reader.position { kept = walk }
    return (changes, end)
  }

  /// A walk at a position: the one that was kept, if it is of use.
  func walk(
    at position: Position, _ kept: consuming RequestWalk?, _ reader: borrowing StoreReader, _ ordering: Ordering,
    _ previous: Bringing?
  ) throws -> RequestWalk {
    let limit = limitInBytes
    if var walk = kept, walk.ordering.base == nil || walk.ordering.base === ordering {
      if walk.head < reader.position {
        let changes =
          walk.ordering.base == nil ? nil : try netChanges(since: walk.head, in: reader, previous)
        try walk.follow(reader, changes, limitInBytes: limit)
      }
      if walk.position < position { _ = try walk.move(to: position, in: reader, limitInBytes: limit) }
      if walk.position == position { return walk }
    }
    // Of the empty state, and by a model that differs in what the request reaches, the ordering here tells nothing.
    let model = reader.resolvedModel
    if try position == .empty || reader.isReset(ordering.request, model: model, from: position, to: reader.position) {
      return try RequestWalk(position, request, of: reader, limitInBytes: limit)
    }
    return try RequestWalk(position, over: ordering, watches, of: reader, limitInBytes: limit)
  }

  /// Looks at the result as it is at a position.
  ///
  /// - Throws: `StoreError` with the code `expired` if the position cannot be reached any more: what has changed since is
  ///   too large, or the model changed in what the request reaches.
  func read<Result>(
    at start: Position, _ body: (OrderingWindow, Reader) throws -> Result
  ) throws -> Result {
    try withOrdering { reader, ordering, _ in
      try reader.requirePosition(start)
      guard start < reader.position else {
        return try body(OrderingWindow(ShiftedOrdering(ordering, in: reader.reader)), reader.reader)
      }
      let view = try pastView(of: start, in: reader, ordering)
      return try body(OrderingWindow(view.ordering(in: reader.reader)), view.reader(over: reader.reader))
    }
  }

  private func pastView(of start: Position, in reader: borrowing StoreReader, _ ordering: Ordering) throws -> PastView {
    if let past, past.position == start, past.head == reader.position, past.base === ordering { return past }
    guard start > .empty,
      try !reader.isReset(ordering.request, model: reader.resolvedModel, from: start, to: reader.position)
    else { throw StoreError.expired(start) }
    do {
      let past = try PastView(
        start, of: reader, ordering, watches, limitInBytes: limitInBytes)
      self.past = past
      return past
    } catch is SpanTooLarge {
      throw StoreError.expired(start)
    }
  }

  /// Looks at the ordering at the head.
  func withOrdering<Result>(
    _ body: (borrowing StoreReader, Ordering, Bringing?) throws -> Result
  ) throws -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try store.read { reader in
      let (ordering, previous) = try bringUp(reader)
      return try body(reader, ordering, previous)
    }
  }

  /// What changed between a position and the head, which may have just been found out.
  private func netChanges(
    since start: Position, in reader: borrowing StoreReader, _ previous: Bringing?
  ) throws -> NetChanges {
    if let previous, previous.from == start { return previous.changes }
    guard let resolved else { preconditionFailure("A request that was resolved is kept.") }
    return try netChanges(since: start, in: reader, resolved, watches)
  }

  /// What changed between a position and the head.
  func netChanges(
    since start: Position, in reader: borrowing StoreReader, _ request: ResolvedRequest, _ watches: WatchTable
  ) throws -> NetChanges {
    let old =
      start == .empty
      ? nil
      : try reader.present.rewound(
        to: start, in: reader.journal, parts: .derived, limitInBytes: limitInBytes)
    return try NetChanges(
      request, watches, from: start.next, through: reader.position, in: reader.journal, old: old?.reader,
      new: reader.reader)
  }

  /// What the ordering took in to come to the head.
  struct Bringing {
    let from: Position
    let changes: NetChanges
  }

  /// Makes the ordering that of the reader's position.
  ///
  /// - Returns: The ordering; and what has changed since it was used last, if that was found out.
  private func bringUp(
    _ reader: borrowing StoreReader
  ) throws -> (Ordering, Bringing?) {
    let model = reader.resolvedModel
    if model !== self.model { try resolve(in: model) }
    guard let resolved else { preconditionFailure("A request that was resolved is kept.") }
    if let ordering, position == reader.position { return (ordering, nil) }
    if let ordering {
      do {
        let changes = try netChanges(since: position, in: reader, resolved, watches)
        ordering.take(changes)
        try ordering.settle(in: reader.reader)
        let former = position
        position = reader.position
        let previous = Bringing(from: former, changes: changes)
        guard ordering.isOutgrown else { return (ordering, previous) }
        let dense = try Ordering(resolved, in: reader.reader, isSparse: false)
        self.ordering = dense
        return (dense, previous)
      } catch is SpanTooLarge {
        self.ordering = nil
      } catch {
        self.ordering = nil
        throw error
      }
    }
    let ordering = try Ordering(resolved, in: reader.reader)
    self.ordering = ordering
    position = reader.position
    return (ordering, nil)
  }

  private func resolve(in model: ResolvedModel) throws {
    let resolved = try ResolvedRequest(checking: request, in: model)
    if let old = self.model, let former = self.resolved {
      let isSame = Reach(former, in: old) == Reach(resolved, in: model)
      // The view that was counted may be gone, though the request does not reach it by name.
      if !isSame || ordering?.countsView == true { ordering = nil }
      if !isSame { last = nil }
    }
    self.resolved = resolved
    self.model = model
    watches = WatchTable(resolved.watches(in: model))
  }
}

extension ResultsChange {
  /// The same, from an earlier position between which and its own nothing changed.
  func reported(from position: Position) -> ResultsChange {
    ResultsChange(from: position, to: to, difference: difference, causes: causes, isReset: isReset)
  }
}
