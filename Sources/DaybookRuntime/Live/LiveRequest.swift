import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import LMDB

/// A followed request with its ranked rows, kept at the head and shared by all followers.
///
/// A follower keeps only a position. What changed between that position and the head is computed from the commits in
/// between, and the ranks at the position are computed from the ranks at the head.
///
/// The lock is held while the base of the ranks is moved to the head, and not while a difference or an earlier position
/// is computed from it: a feed that is far from the head does not block a list that reads the same request. A base that
/// is in use stays as it is, and a copy is moved instead.
///
/// The common case costs no transaction: if rows depend on their own records alone, the base stores their keys, and one
/// small commit was made since, its records (``CommitDelta``), which all requests share, are all that a difference needs.
package final class LiveRequest: @unchecked Sendable {
  package let request: FetchRequest
  /// The scope in which the request is read.
  package let scope: RequestScope
  let followers: Followers
  let keeper: ProjectionKeeper
  /// The last commit that the notifier has examined.
  private let seen: Locked<Position>
  private let touches: RecentTouches
  /// The position from which on the touches of what the request depends on are noted.
  private let notedFrom: Position

  private let schedule: TimeSchedule?

  /// Protects all members below.
  private let lock = Locked(())
  private var resolution: Resolution?
  /// The rows in order at `position`. It is changed only while nothing else references it.
  private var base: RankBase?
  /// The position of the base.
  private var position = Position.empty
  /// The time of the base, with the moments at which it changes; `nil` without a base, and for a request that does not
  /// read the time.
  private var timed: TimedRows?
  /// The latest time of a base.
  private var time = Timestamp(microseconds: .min)
  /// The rows of projections that the base was read from.
  private var stamp = ScopeStamp.stored
  /// The last coalesced change, kept for other followers at the same position.
  private var last: ResultsChange?
  /// The change of the last commit that was computed during its flush.
  private var prepared: PreparedChange?
  /// What the last replacement of rows by rebuilt ones changed.
  private var replacement: RowsReplacement?
  /// The result at an earlier position that was read last. It is never moved, so that several threads may read it.
  private var past: RequestGroupWalk?

  /// - Parameters:
  ///   - position: The position from which on commits that touch the request are noted.
  ///   - seen: The last commit up to which they were noted.
  ///   - touches: The objects that these commits touched.
  init(
    _ request: FetchRequest, in scope: RequestScope, keeper: ProjectionKeeper, from position: Position,
    seen: Locked<Position>, touches: RecentTouches, schedule: TimeSchedule? = nil
  ) {
    self.schedule = schedule
    self.request = request
    self.scope = scope
    self.keeper = keeper
    self.seen = seen
    self.touches = touches
    notedFrom = position
    followers = Followers(from: position)
  }

  /// The most commits that a stepwise follower receives from one call.
  package static let maximumStepCount = 64
  /// The time after which a call returns the steps that it has: a follower that is far behind continues at once, and the
  /// time that a caller has for one call is seldom over before its first step.
  package static let stepTime = Duration.milliseconds(500)

  /// Returns the last position up to which nothing has changed in the result since another position.
  func unchanged(since start: Position) -> Position {
    followers.unchanged(since: start, seen: seen.withLock { $0 })
  }

  /// Returns whether the causes of a change may differ if it is reported from an earlier position, because the commits in
  /// between touched something that its rows reach at one of its ends.
  ///
  /// What a row reaches at the end alone is not enough: where the change cuts a link, it may have undone what such a commit
  /// changed behind the link.
  ///
  /// - Parameters:
  ///   - given: The position from which the change is reported; the commits after it moved no row when they were made.
  ///   - last: The last of these commits.
  ///   - dependents: What the rows depend on.
  ///   - reader: Reads the state at the end of the change; `nil` outside of transactions, where what rows reach is known
  ///     only if they depend on their own records alone.
  ///   - former: Returns a reader of the state before the change; `nil` for the empty state.
  func mayLackCauses(
    _ change: ResultsChange, after given: Position, through last: Position, _ dependents: RequestDependents,
    in reader: Reader?, before former: () throws -> Reader?
  ) throws -> Bool {
    guard given < last, !change.isEmpty, !change.isReset else { return false }
    // What touched an object of a group touched the request.
    guard dependents.rowsAreObjects else { return given < notedFrom || unchanged(since: given) < last }
    guard given >= notedFrom, reader != nil || dependents.readOnlyOwnRecords else { return true }
    let rows = change.difference.rows.map(\.id)
    guard !dependents.readOnlyOwnRecords, let reader else {
      return touches.mayHaveTouched(rows, after: given, through: last)
    }
    func areTouched(in reader: Reader) throws -> Bool {
      let objects = try rows.flatMap { try dependents.objects(reachedFrom: $0, in: reader) }
      return touches.mayHaveTouched(objects, after: given, through: last)
    }
    return try areTouched(in: reader) || former().map { try areTouched(in: $0) } ?? false
  }

  /// Returns the change of the last commit without a transaction, or `nil` if that is not possible.
  ///
  /// - Parameters:
  ///   - start: The position before the commit, or after it: then nothing has changed.
  ///   - given: The position from which the change will be reported: the commits between both positions changed nothing,
  ///     and are among the causes if they touched a row that changed.
  ///   - stamp: The rows of projections in which the change is reported.
  /// - Returns: The change, which may be empty.
  /// - Throws: `StoreError` if the store is closed.
  func knownChange(
    since start: Position, reportedFrom given: Position, of stamp: ScopeStamp
  ) throws -> ResultsChange? {
    // The delta of a commit has its own events, and not what projections made of them.
    if request.mayReadTime { return nil }
    guard scope.isStored else { return try preparedChange(since: start, reportedFrom: given, of: stamp) }
    guard let delta = try keeper.knownCommitDelta() else { return nil }
    // Rows that are behind are moved in a transaction.
    if start == delta.position, lock.withLock({ base != nil && position == start }) {
      return ResultsChange(from: start, to: start)
    }
    guard start.next == delta.position else { return nil }
    let known = lock.withLock { () -> (change: ResultsChange, resolution: Resolution)? in
      guard let resolution, let change = change(by: delta, resolution) else { return nil }
      return (change, resolution)
    }
    return try known.flatMap { try withAllCauses($0.change, since: start, reportedFrom: given, $0.resolution) }
  }

  /// Returns a change, or `nil` if it may lack causes when it is reported from an earlier position.
  private func withAllCauses(
    _ change: ResultsChange, since start: Position, reportedFrom given: Position, _ resolution: Resolution
  ) throws -> ResultsChange? {
    let mayLackCauses = try mayLackCauses(
      change, after: given, through: start, resolution.dependents, in: nil, before: { nil })
    return mayLackCauses ? nil : change
  }

  /// Returns the change of the last commit in rows of projections, if it was computed during the flush.
  ///
  /// A position without a change is not known: rows are replaced without a commit.
  private func preparedChange(
    since start: Position, reportedFrom given: Position, of stamp: ScopeStamp
  ) throws -> ResultsChange? {
    guard let transaction = try keeper.lastTransactionID() else { return nil }
    let known = lock.withLock { () -> (change: ResultsChange, resolution: Resolution)? in
      guard self.stamp == stamp, let resolution, let prepared, prepared.delta.transaction == transaction,
        prepared.change.from == start
      else { return nil }
      return (prepared.change, resolution)
    }
    return try known.flatMap { try withAllCauses($0.change, since: start, reportedFrom: given, $0.resolution) }
  }

  /// Returns the change of the last commit, or `nil` if it is not known and its records do not show it. The caller holds
  /// the lock.
  private func change(by delta: CommitDelta, _ resolution: Resolution) -> ResultsChange? {
    if let kept = keptChange(from: Position(delta.position.number - 1), to: delta.position) { return kept }
    guard position.next == delta.position, base?.countsIndex == false else { return nil }
    do {
      return try moveBase(by: delta.changes, resolution)
    } catch {
      // The base may be incomplete. The caller then begins a transaction, which meets the error too if it lasts.
      base = nil
      return nil
    }
  }

  /// Returns the change between two positions if it is the last one that was computed, or was prepared. The caller holds
  /// the lock.
  private func keptChange(from start: Position, to end: Position) -> ResultsChange? {
    if let last, last.from == start, last.to == end { return last }
    guard let prepared, prepared.isInJournal, prepared.change.from == start, prepared.change.to == end else {
      return nil
    }
    return prepared.change
  }

  /// Builds the ranks again at the next call, because they do not match the changes.
  private func forgetBase(of head: Head) {
    lock.withLock { if base === head.base { base = nil } }
  }

  /// Returns what changed over a range of commits.
  ///
  /// - Parameters:
  ///   - range: The commits, which end at the reader's position.
  ///   - time: The time of the state before the range, if the request reads the time. After a time that is yet to come,
  ///     the change is a reset.
  ///   - head: The request at the reader's position; see ``head(in:sharing:at:)``.
  /// - Returns: The change, which may be empty; a reset if the model changed in what the request reaches, or if what
  ///   changed is too large.
  /// - Throws: `StoreError`: `badRequest`, `damaged`.
  func change(
    over range: CommitRange, since time: Timestamp?, in reader: borrowing StoreReader, _ head: Head
  ) throws -> ResultsChange {
    let (start, end) = (range.start, reader.position)
    do {
      guard try !head.isReset(from: start, in: reader) else { return .reset(from: start, to: end) }
      if let time, let present = head.time, time > present { return .reset(from: start, to: end) }
      if head.time == nil, let kept = lock.withLock({ keptChange(from: start, to: end) }) { return kept }
      let change = try head.changes(over: range, since: time)
        .change(from: start, to: end, endingAt: RankedKeys(head.base), in: reader.reader)
      if head.time == nil { lock.withLock { if position == end { last = change } } }
      return change
    } catch is SpanTooLarge {
      return .reset(from: start, to: end)
    } catch let error as DifferenceError {
      forgetBase(of: head)
      throw error
    }
  }

  /// Reads the result at a position.
  ///
  /// - Parameters:
  ///   - time: The time of the result, if the request reads the time.
  ///   - stamp: The rows of projections of which it is the result.
  /// - Throws: `StoreError` with the code `expired` if the position cannot be reached: what has changed since is too
  ///   large, the model changed in what the request reaches, or the rows of a projection were replaced.
  package func read<Result>(
    at start: Position, _ time: Timestamp?, of stamp: ScopeStamp, _ body: (RankedWindow, Reader) throws -> Result
  ) throws -> Result {
    try withHead { reader, head in
      guard stamp == reader.stamp else { throw StoreError.expired(start) }
      try reader.requirePosition(start)
      guard try start < reader.position || !head.isUnchanged(since: time) else {
        return try body(
          RankedWindow(RankedKeys(head.base), in: reader.reader), head.base.rowReader(over: reader.reader))
      }
      let past = try past(at: start, time, in: reader, head)
      return try body(RankedWindow(past.rows[0].ranked, in: reader.reader), past.rowReader(0, over: reader.reader))
    }
  }

  /// Returns the result at an earlier position, which is kept until the head changes.
  private func past(
    at start: Position, _ time: Timestamp?, in reader: borrowing StoreReader, _ head: Head
  ) throws -> RequestGroupWalk {
    let end = reader.position
    if let past = lock.withLock({ past }), past.position == start, past.head == end, past.time == time,
      past.rows[0].ranked.base === head.base
    {
      return past
    }
    guard start > .empty, try !head.isReset(from: start, in: reader) else { throw StoreError.expired(start) }
    do {
      let made = try RequestGroupWalk(
        over: [head], before: CommitRange(from: start, to: reader, of: keeper), of: reader, at: time)
      lock.withLock { if base === head.base { past = made } }
      return made
    } catch is SpanTooLarge {
      throw StoreError.expired(start)
    }
  }

  /// Calls `body` with a reader and the rows at its position, without holding the lock.
  package func withHead<Result>(_ body: (borrowing StoreReader, Head) throws -> Result) throws -> Result {
    while true {
      let result = try keeper.read(in: scope) { reader -> Result? in
        guard let head = try head(in: reader) else { return nil }
        return try body(reader, head)
      }
      if let result { return result }
    }
  }

  /// Returns the request at a reader's position; `nil` if the rows are already at a later one, or at a later time.
  ///
  /// - Parameters:
  ///   - range: The commits before the reader's position, as the reader's other requests read them.
  ///   - now: The time of the rows, if the request reads the time; the present by default.
  func head(
    in reader: borrowing StoreReader, sharing range: CommitRange? = nil, at now: Timestamp? = nil
  ) throws -> Head? {
    try lock.withLock { try catchUp(reader, range, at: now) }
  }

  /// Returns the present time at a reader's position, as ``nextTime(in:after:)``.
  func presentTime(in reader: borrowing StoreReader, after start: Timestamp?) throws -> Timestamp {
    try lock.withLock { try nextTime(in: reader, after: start) }
  }

  /// Returns the present time at a reader's position. The caller holds the lock.
  ///
  /// It is the clock's, but never before the last commit and before the rows, even if the clock was set back. While
  /// nothing turns, it stays the time of the rows, so that all followers have the same time.
  ///
  /// - Parameter start: The time of what a follower has; it counts unless it is yet to come.
  private func nextTime(in reader: borrowing StoreReader, after start: Timestamp?) throws -> Timestamp {
    let recorded = try reader.recordedTime(of: reader.position)
    let latest = max(keeper.files.options.clock(), recorded, time)
    let least = max(time, min(start ?? time, latest))
    guard let timed, base != nil, position == reader.position else { return latest }
    return timed.nextMoment.map { $0 <= latest } ?? false ? latest : least
  }

  /// Forgets the moments at which the time changes the rows, which nothing follows any more.
  func forgetMoments() { schedule?.set(nil, for: followers) }

  /// Returns the request at a reader's position, with rows that are not shared.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows, or O(log *n*) if an index has exactly these rows.
  func ownHead(in reader: borrowing StoreReader, at now: Timestamp?) throws -> Head {
    let resolution = try Resolution(request, in: reader.resolvedModel)
    if let now, resolution.request.readsTime {
      let timed = try TimedRows(resolution.request(at: now), in: reader.reader)
      return Head(
        resolution: resolution, base: try makeBase(timed.request, in: reader.reader, mayCount: false), previous: nil,
        timed: timed)
    }
    return Head(
      resolution: resolution, base: try makeBase(resolution.request, in: reader.reader), previous: nil,
      timed: nil)
  }

  /// Moves the base to the reader's position. The caller holds the lock.
  ///
  /// - Returns: The state at that position, or `nil` if the base is already at a later position, because a reader
  ///   that began later was faster.
  private func catchUp(_ reader: borrowing StoreReader, _ range: CommitRange?, at now: Timestamp?) throws -> Head? {
    if stamp != reader.stamp {
      guard !stamp.isLater(than: reader.stamp) else { return nil }
      // The rows were replaced, and what is known of others is of no use.
      (base, last, prepared, past, position, stamp) = (nil, nil, nil, nil, reader.position, reader.stamp)
    }
    guard position <= reader.position else { return nil }
    let resolution = try resolve(in: reader.resolvedModel)
    if resolution.request.readsTime { return try catchUp(reader, resolution, range, at: now) }
    // The tables are behind the reader, whose later rows are in a layer: their counts are not the ones of its position.
    if base?.countsIndex == true, !reader.reader.layers.isEmpty { base = nil }
    let (base, previous) = try catchUp(reader, resolution, range)
    return Head(resolution: resolution, base: base, previous: previous, timed: nil)
  }

  private func catchUp(
    _ reader: borrowing StoreReader, _ resolution: Resolution, _ range: CommitRange?
  ) throws -> (RankBase, HeadUpdate?) {
    if let base, position == reader.position { return (base, nil) }
    // It is useless at another head, and its reference would prevent changing the base in place.
    past = nil
    // What changed nothing here before the range need not be read.
    if let range, position < range.start, unchanged(since: position) >= range.start { position = range.start }
    if base != nil {
      do {
        let read =
          try preparedChanges(through: reader.position) ?? changes(in: reader, resolution, range)
        let base = movableBase()
        let changes = try base.move(by: read)
        try base.settle(in: reader.reader)
        let former = position
        position = reader.position
        let previous = HeadUpdate(from: former, changes: changes)
        guard base.isOutgrown else { return (base, previous) }
        let other = try makeBase(resolution.request, in: reader.reader, mayCount: !base.countsIndex)
        self.base = other
        return (other, previous)
      } catch is SpanTooLarge {
        base = nil
      } catch {
        base = nil
        throw error
      }
    }
    let base = try makeBase(resolution.request, in: reader.reader)
    self.base = base
    position = reader.position
    return (base, nil)
  }

  /// Moves the base of a request that reads the time to the reader's position and to a time. The caller holds the lock.
  ///
  /// - Parameter now: The time; the present by default.
  /// - Returns: `nil` if the base is already at a later time.
  private func catchUp(
    _ reader: borrowing StoreReader, _ resolution: Resolution, _ range: CommitRange?, at now: Timestamp?
  ) throws -> Head? {
    let now = try now ?? nextTime(in: reader, after: nil)
    guard now >= time else { return nil }
    time = now
    if let base, let timed, position == reader.position, timed.time == now {
      schedule?.set(timed.nextMoment, for: followers)
      return Head(resolution: resolution, base: base, previous: nil, timed: timed)
    }
    // Its reference would prevent changing the base in place.
    past = nil
    if base != nil, var timed = timed.take() {
      do {
        let range = range.flatMap { $0.start == position ? $0 : nil }
        let former = timed.time
        let read = try timed.move(
          to: now, over: range ?? CommitRange(from: position, to: reader, of: keeper), resolution)
        let base = movableBase()
        let changes = try base.move(by: read)
        let previous = HeadUpdate(from: position, time: former, changes: changes)
        (position, self.timed) = (reader.position, timed)
        schedule?.set(timed.nextMoment, for: followers)
        // Others than the caller have not seen the moments that are passed.
        if former < now, changes.rows.contains(where: \.isChanged) { followers.wake() }
        return Head(resolution: resolution, base: base, previous: previous, timed: timed)
      } catch is SpanTooLarge {
        base = nil
      } catch {
        base = nil
        throw error
      }
    }
    let made = try TimedRows(resolution.request(at: now), in: reader.reader)
    let base = try makeBase(made.request, in: reader.reader, mayCount: false)
    (self.base, timed, position) = (base, made, reader.position)
    schedule?.set(made.nextMoment, for: followers)
    return Head(resolution: resolution, base: base, previous: nil, timed: made)
  }

  /// Returns what changed from the base's position to the reader's. The caller holds the lock.
  private func changes(
    in reader: borrowing StoreReader, _ resolution: Resolution, _ range: CommitRange?
  ) throws -> RowChanges {
    if let range, range.start == position { return try resolution.changes(over: range) }
    return try resolution.changes(over: CommitRange(from: position, to: reader, of: keeper))
  }

  private func makeBase(_ request: ResolvedRequest, in reader: Reader, mayCount: Bool = true) throws -> RankBase {
    try RankBase(request, in: reader, mayCount: mayCount, keptKeyCount: keeper.files.options.keptKeyCount)
  }

  /// Moves the base by the one commit after its position. The caller holds the lock.
  ///
  /// - Precondition: There is a base, which stores its keys.
  /// - Returns: The change, which may be empty, or `nil` if the commit's records do not show it.
  private func moveBase(by commit: CommitChanges, _ resolution: Resolution) throws -> ResultsChange? {
    guard let changes = try resolution.changes(by: commit) else { return nil }
    past = nil
    let base = movableBase()
    let net = try base.move(by: changes)
    let change = try net.change(from: position, to: commit.position, endingAt: RankedKeys(base), in: nil)
    (position, last) = (commit.position, change)
    // The next read builds it in its other form.
    if base.isOutgrown { self.base = nil }
    return change
  }

  /// Moves the base by the commit that was prepared last, if that is in the journal. The caller holds the lock.
  private func moveBaseByPrepared() throws {
    guard let prepared, let changes = preparedChanges(through: prepared.change.to) else { return }
    past = nil
    let base = movableBase()
    do {
      _ = try base.move(by: changes)
    } catch {
      self.base = nil
      throw error
    }
    (position, last) = (prepared.change.to, prepared.change)
    if base.isOutgrown { self.base = nil }
  }

  /// Returns the base if nothing else references it, else a copy that replaces it.
  private func movableBase() -> RankBase {
    let isShared = !isKnownUniquelyReferenced(&base)
    guard let present = base else { preconditionFailure("There is a base to move.") }
    guard isShared else { return present }
    let copy = RankBase(copying: present)
    base = copy
    return copy
  }

  private func resolve(in model: ResolvedModel) throws -> Resolution {
    if let resolution, resolution.model === model { return resolution }
    let made = try Resolution(request, in: model)
    if let resolution {
      let isSame = resolution.region == made.region
      // The index that the base counts may be gone, though the request does not name it.
      if !isSame || base?.countsIndex == true { base = nil }
      if !isSame { last = nil }
    }
    resolution = made
    return made
  }
}

/// Rows that rebuilt ones replace.
extension LiveRequest {
  /// Computes what a replacement changes, for the followers that have the rows before it. Followers of groups are reset.
  func noteReplacement(_ states: ReplacedStates) throws {
    guard request.grouping == nil else { return }
    let made = try RowsReplacement(
      of: request.mayReadTime ? request.at(lock.withLock { time }) : request, states, spans: followers.spans,
      seen: seen.withLock { $0 })
    lock.withLock { replacement = made }
  }

  /// Returns the change that leads from replaced rows to the ones that replaced them, or `nil` if it is not known.
  ///
  /// - Parameter start: The position up to which everything was reported to the consumer.
  package func changeOfRows(
    from stamp: ScopeStamp, to present: ScopeStamp, since start: Position
  ) -> ResultsChange? {
    lock.withLock { replacement }?.change(for: stamp, to: present, since: start)
  }
}

/// Changes that are computed while their commit is flushed.
extension LiveRequest {
  /// The change of a commit, which is valid once the commit is in the journal.
  private struct PreparedChange {
    let delta: CommitDelta
    let changes: RowChanges
    let change: ResultsChange

    var isInJournal: Bool { delta.transaction != nil }
  }

  /// Computes the change of a commit that is being flushed, and notifies the preparation when it is there.
  ///
  /// The base stays at the position before the commit, because the flush may fail; reads continue meanwhile. It is moved
  /// when the result is read next, or when the next commit is prepared.
  func prepare(_ preparation: ChangePreparation) {
    do {
      let isCounted = lock.withLock { base?.countsIndex }
      guard let isCounted else { return }
      if isCounted {
        try keeper.read(in: scope) { reader in
          guard try head(in: reader) != nil else { return }
          try prepare(preparation, in: reader.reader)
        }
      } else {
        try prepare(preparation, in: nil)
      }
    } catch {
      // The followers meet the error, if it lasts, when they compute the change themselves.
    }
  }

  /// - Parameter reader: Reads the position before the commit; `nil` for a base that stores its keys.
  private func prepare(_ preparation: ChangePreparation, in reader: Reader?) throws {
    let isReady = try lock.withLock { () throws -> Bool in try makePrepared(preparation, in: reader) }
    if isReady { preparation.noteReady(followers) }
  }

  /// Computes the change of a commit over the base, which stays as it is. The caller holds the lock.
  ///
  /// - Returns: Whether the base is at the position before the commit, and the commit's records show the change.
  private func makePrepared(_ preparation: ChangePreparation, in reader: Reader?) throws -> Bool {
    if reader == nil { try moveBaseByPrepared() }
    guard let delta = preparation.deltas[scope], let base, base.isCheapToPrepare, base.countsIndex == (reader != nil),
      position.next == delta.position, let changes = try resolution?.changes(by: delta.changes)
    else { return false }
    let net = try changes.netChanges(base.request, beginningAt: base.groups)
    let change = try net.change(
      from: position, to: delta.position, endingAt: RankedKeys(base).applying(net.moves), in: reader)
    prepared = PreparedChange(delta: delta, changes: changes, change: change)
    return true
  }

  /// Returns what the prepared commit changed, if it is in the journal, and leads from the base's position to another one.
  /// The caller holds the lock.
  private func preparedChanges(through end: Position) -> RowChanges? {
    guard base != nil, let prepared, prepared.isInJournal, prepared.change.from == position,
      prepared.change.to == end
    else { return nil }
    return prepared.changes
  }
}
