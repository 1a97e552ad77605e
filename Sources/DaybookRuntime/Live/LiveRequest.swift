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
/// small commit was made since, its shared records (``CommitChanges``) are all that a difference needs.
package final class LiveRequest: @unchecked Sendable {
  package let request: FetchRequest
  let followers: Followers
  private let store: OpenStore
  /// The last commit that the notifier has examined.
  private let seen: Locked<Position>
  private let touches: RecentTouches
  /// The position from which on the touches of what the request depends on are noted.
  private let notedFrom: Position

  /// Protects all members below.
  private let lock = Locked(())
  private var resolved: ResolvedRequest?
  private var dependents = RequestDependents()
  /// Computes changes from the records of a commit; `nil` if rows depend on more.
  private var ownRecordChanges: OwnRecordChanges?
  /// The model by which the request was resolved.
  private var model: ResolvedModel?
  /// The rows in order at `position`. It is changed only while nothing else references it.
  private var base: RankBase?
  /// The position of the base.
  private var position = Position.empty
  /// The last coalesced change, kept for other followers at the same position.
  private var last: ResultsChange?
  /// The change of the last commit that was computed during its flush.
  private var prepared: PreparedChange?
  /// The result at an earlier position that was read last. It is never moved, so that several threads may read it.
  private var past: RequestWalk?

  /// The state of the request at the position of a reader.
  package struct Head {
    let request: ResolvedRequest
    package let dependents: RequestDependents
    fileprivate let ownRecordChanges: OwnRecordChanges?
    /// The rows at the reader's position. They do not change while they are referenced here.
    package let base: RankBase
    /// The update that moved the rows here, or `nil` if it was here before or was built here.
    fileprivate let previous: HeadUpdate?

    /// Returns whether the model changed since a position in what the request reaches.
    package func isReset(from start: Position, in reader: borrowing StoreReader) throws -> Bool {
      try reader.isReset(base.request, model: reader.resolvedModel, from: start, to: reader.position)
    }
  }

  /// - Parameters:
  ///   - position: The position from which on commits that touch the request are noted.
  ///   - seen: The last commit up to which they were noted.
  ///   - touches: The objects that these commits touched.
  init(
    _ request: FetchRequest, store: OpenStore, from position: Position, seen: Locked<Position>, touches: RecentTouches
  ) {
    self.request = request
    self.store = store
    self.seen = seen
    self.touches = touches
    notedFrom = position
    followers = Followers(from: position)
  }

  /// The limit on the memory that a view of the past may use, in bytes.
  var limitInBytes: Int { store.options.viewOfPastLimitInBytes }

  /// The most commits that a stepwise follower receives from one call.
  package static let maximumStepCount = 64
  /// The time after which a call returns the steps that it has: a follower that is far behind goes on at once, and the
  /// time that a caller has for one call is seldom over before its first step.
  package static let stepTime = Duration.milliseconds(500)

  /// Returns what changed since a position, as one change.
  ///
  /// - Parameter given: The position from which the change will be reported: the commits between both positions changed
  ///   nothing, and are among the causes if they touched a row that changed.
  /// - Returns: The change, if there is one, and the position up to which there are no others.
  package func changes(
    since start: Position, reportedFrom given: Position
  ) throws -> (changes: [ResultsChange], through: Position) {
    if let known = try knownChange(since: start, reportedFrom: given) { return known }
    return try changes(since: start) { reader, head, from in
      try coalesced(from: from, reportedFrom: given, reader, head)
    }
  }

  /// Returns the change of each commit since a position.
  ///
  /// At most ``maximumStepCount`` commits are processed.
  ///
  /// - Parameters:
  ///   - given: As for ``changes(since:reportedFrom:)``; each further change is reported from the end of the one before.
  ///   - walk: The follower's walk through the past, kept while the follower is before the head.
  /// - Returns: The changes, and the position up to which there are no others.
  package func steps(
    since start: Position, reportedFrom given: Position, _ walk: inout RequestWalk?
  ) throws -> (changes: [ResultsChange], through: Position) {
    if walk == nil, let known = try knownChange(since: start, reportedFrom: given) { return known }
    // Removed while in use: after a failure the walk may be unusable.
    var present = walk.take()
    let result = try changes(since: start) { reader, head, from in
      if present == nil, from.next == reader.position {
        return try coalesced(from: from, reportedFrom: given, reader, head)
      }
      return try steps(from: from, reportedFrom: given, &present, reader, head)
    }
    walk = present
    return result
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
  package func mayLackCauses(
    _ change: ResultsChange, after given: Position, through last: Position, _ dependents: RequestDependents,
    in reader: Reader?, before former: () throws -> Reader?
  ) throws -> Bool {
    guard given < last, !change.isEmpty, !change.isReset else { return false }
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
  private func knownChange(
    since start: Position, reportedFrom given: Position
  ) throws -> (changes: [ResultsChange], through: Position)? {
    guard let known = try knownChange(since: start) else { return nil }
    if let change = known.changes.first,
      try mayLackCauses(change, after: given, through: start, lock.withLock { dependents }, in: nil, before: { nil })
    {
      return nil
    }
    return known
  }

  private func knownChange(since start: Position) throws -> (changes: [ResultsChange], through: Position)? {
    if let change = try preparedChange(since: start) { return (change.isEmpty ? [] : [change], change.to) }
    guard let commit = try store.knownHeadChanges(), start.next == commit.position else { return nil }
    return lock.withLock {
      if let last, last.from == start, last.to == commit.position, position == commit.position {
        return (last.isEmpty ? [] : [last], commit.position)
      }
      guard position == start, commit.model === model, let ownRecordChanges, base?.countsIndex == false else {
        return nil
      }
      do {
        return try moveBase(by: commit, ownRecordChanges).map { ($0, commit.position) }
      } catch {
        // The base may be incomplete. The caller then begins a transaction, which meets the error too if it lasts.
        self.base = nil
        return nil
      }
    }
  }

  private func changes(
    since start: Position,
    _ make: (borrowing StoreReader, Head, _ from: Position) throws -> (changes: [ResultsChange], through: Position)
  ) throws -> (changes: [ResultsChange], through: Position) {
    let seen = seen.withLock { $0 }
    return try withHead { reader, head in
      try reader.requirePosition(start)
      let end = reader.position
      let from = followers.unchanged(since: start, seen: seen)
      guard from < end else { return ([], end) }
      do {
        guard try !head.isReset(from: from, in: reader) else { return ([.reset(from: start, to: end)], end) }
        return try make(reader, head, from)
      } catch is SpanTooLarge {
        return ([.reset(from: start, to: end)], end)
      } catch let error as DifferenceError {
        forgetBase(of: head)
        throw error
      }
    }
  }

  /// Builds the ranks again at the next call, because they do not match the changes.
  private func forgetBase(of head: Head) {
    lock.withLock { if base === head.base { base = nil } }
  }

  /// Returns what changed from a position to the head, for a step of several requests.
  ///
  /// - Parameters:
  ///   - head: The request at the reader's position; see ``head(in:sharing:)``.
  ///   - span: What the requests of the step share.
  /// - Returns: The change, which may be empty or a reset.
  package func change(in reader: borrowing StoreReader, _ head: Head, sharing span: SharedSpan) throws -> ResultsChange
  {
    let (start, end) = (span.start, reader.position)
    do {
      guard try !head.isReset(from: start, in: reader) else { return .reset(from: start, to: end) }
      let changes = try coalesced(from: start, reader, head, sharing: span).changes
      return changes.first ?? ResultsChange(from: start, to: end, difference: Difference(sections: [], rows: []))
    } catch is SpanTooLarge {
      return .reset(from: start, to: end)
    } catch let error as DifferenceError {
      forgetBase(of: head)
      throw error
    }
  }

  /// Returns what changed from a position to the head, as one change with the causes of the span that it is reported of.
  private func coalesced(
    from: Position, reportedFrom given: Position, _ reader: borrowing StoreReader, _ head: Head
  ) throws -> (changes: [ResultsChange], through: Position) {
    let result = try coalesced(from: from, reader, head)
    guard let change = result.changes.first else { return result }
    let isIncomplete = try mayLackCauses(change, after: given, through: from, head.dependents, in: reader.reader) {
      try SharedSpan(from: from, to: reader, limitInBytes: limitInBytes).formerReader()
    }
    return isIncomplete ? try coalesced(from: given, reader, head) : result
  }

  /// Returns what changed from a position to the head, as one change.
  private func coalesced(
    from: Position, _ reader: borrowing StoreReader, _ head: Head, sharing span: SharedSpan? = nil
  ) throws -> (changes: [ResultsChange], through: Position) {
    let end = reader.position
    if let last = lock.withLock({ last }), last.from == from, last.to == end {
      return (last.isEmpty ? [] : [last], end)
    }
    let net = try netChanges(since: from, in: reader, head, sharing: span)
    let (difference, causes) = try net.difference(endingAt: RankedKeys(head.base), in: reader.reader)
    let change = ResultsChange(from: from, to: end, difference: difference, causes: causes)
    lock.withLock { if position == end { last = change } }
    return (change.isEmpty ? [] : [change], end)
  }

  /// Returns the next changes commit by commit.
  private func steps(
    from: Position, reportedFrom given: Position, _ kept: inout RequestWalk?, _ reader: borrowing StoreReader,
    _ head: Head
  ) throws -> (changes: [ResultsChange], through: Position) {
    let limit = limitInBytes
    var given = given
    var walk = try walk(at: from, kept.take(), reader, head)
    let end = min(reader.position, Position(from.number + UInt64(LiveRequest.maximumStepCount)))
    var changes: [ResultsChange] = []
    let beginning = ContinuousClock.now
    while walk.position < end, changes.isEmpty || beginning.duration(to: .now) < LiveRequest.stepTime {
      let start = walk.position
      var change = try walk.move(to: start.next, in: reader, limitInBytes: limit)
      guard !change.isEmpty else { continue }
      let isIncomplete = try mayLackCauses(
        change, after: given, through: start, head.dependents, in: walk.reader(over: reader.reader)
      ) { try walk.reader(at: start, in: reader, limitInBytes: limit) }
      if isIncomplete {
        change = try walk.completing(change, from: given, in: reader, limitInBytes: limit)
      }
      changes.append(change)
      given = change.to
    }
    let last = walk.position
    // At the head, the shared base is enough.
    if last < reader.position { kept = walk }
    return (changes, last)
  }

  /// Returns a walk at a position: the kept walk if it is usable, else a new one.
  func walk(
    at position: Position, _ kept: consuming RequestWalk?, _ reader: borrowing StoreReader, _ head: Head
  ) throws -> RequestWalk {
    let limit = limitInBytes
    if var walk = kept, walk.ownsBase || walk.ranked.request === head.base.request {
      if walk.head < reader.position {
        let changes = walk.ownsBase ? nil : try netChanges(since: walk.head, in: reader, head)
        try walk.follow(reader, changes.map { (head.base, $0) }, limitInBytes: limit)
      }
      if walk.position < position { _ = try walk.move(to: position, in: reader, limitInBytes: limit) }
      if walk.position == position { return walk }
    }
    // The base at the head cannot be used for the empty state, nor under a model that differs in what the request
    // reaches.
    let model = reader.resolvedModel
    if try position == .empty
      || reader.isReset(head.base.request, model: model, from: position, to: reader.position)
    {
      return try RequestWalk(position, request, of: reader, limitInBytes: limit)
    }
    return try RequestWalk(position, over: head.base, head.dependents, of: reader, limitInBytes: limit)
  }

  /// Reads the result at a position.
  ///
  /// - Throws: `StoreError` with the code `expired` if the position cannot be reached: what has changed since is too
  ///   large, or the model changed in what the request reaches.
  package func read<Result>(
    at start: Position, _ body: (RankedWindow, Reader) throws -> Result
  ) throws -> Result {
    try withHead { reader, head in
      try reader.requirePosition(start)
      guard start < reader.position else {
        return try body(RankedWindow(RankedKeys(head.base), in: reader.reader), reader.reader)
      }
      let past = try past(at: start, in: reader, head)
      return try body(RankedWindow(past.ranked, in: reader.reader), past.reader(over: reader.reader))
    }
  }

  /// Returns the result at an earlier position, which is kept until the head changes.
  private func past(at start: Position, in reader: borrowing StoreReader, _ head: Head) throws -> RequestWalk {
    let end = reader.position
    if let past = lock.withLock({ past }), past.position == start, past.head == end, past.ranked.base === head.base {
      return past
    }
    guard start > .empty,
      try !reader.isReset(head.base.request, model: reader.resolvedModel, from: start, to: end)
    else { throw StoreError.expired(start) }
    do {
      let made = try RequestWalk(start, over: head.base, head.dependents, of: reader, limitInBytes: limitInBytes)
      lock.withLock { if base === head.base { past = made } }
      return made
    } catch is SpanTooLarge {
      throw StoreError.expired(start)
    }
  }

  /// Calls `body` with a reader and the rows at its position, without holding the lock.
  package func withHead<Result>(_ body: (borrowing StoreReader, Head) throws -> Result) throws -> Result {
    while true {
      let result = try store.read { reader -> Result? in
        guard let head = try head(in: reader) else { return nil }
        return try body(reader, head)
      }
      if let result { return result }
    }
  }

  /// Returns the request at a reader's position; `nil` if the rows are already at a later one.
  ///
  /// - Parameter span: What the reader's other requests read of the commits before its position.
  package func head(in reader: borrowing StoreReader, sharing span: SharedSpan? = nil) throws -> Head? {
    try lock.withLock { try catchUp(reader, span) }
  }

  /// Returns the request at a reader's position, with rows that are not shared.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows, or O(log *n*) if an index has exactly these rows.
  package func ownHead(in reader: borrowing StoreReader) throws -> Head {
    let model = reader.resolvedModel
    let resolved = try ResolvedRequest(checking: request, in: model)
    let dependents = RequestDependents(resolved, in: model)
    return Head(
      request: resolved, dependents: dependents, ownRecordChanges: OwnRecordChanges(resolved, dependents, in: model),
      base: try makeBase(resolved, in: reader.reader), previous: nil)
  }

  /// Returns what changed between a position and the head, reusing the head's last update.
  func netChanges(
    since start: Position, in reader: borrowing StoreReader, _ head: Head, sharing span: SharedSpan? = nil
  ) throws -> NetChanges {
    if let previous = head.previous, previous.from == start { return previous.changes }
    return try netChanges(
      since: start, in: reader, head.request, head.dependents, head.ownRecordChanges, sharing: span)
  }

  /// Returns what changed between a position and the head.
  ///
  /// - Parameters:
  ///   - own: Computes the changes from shared records, if that is possible.
  ///   - span: What other requests read of the same commits.
  package func netChanges(
    since start: Position, in reader: borrowing StoreReader, _ request: ResolvedRequest,
    _ dependents: RequestDependents, _ own: OwnRecordChanges? = nil, sharing span: SharedSpan? = nil
  ) throws -> NetChanges {
    if let own, start.next == reader.position, let commit = try store.headChanges(in: reader),
      commit.model === reader.resolvedModel, let changes = try own.changes(by: commit)
    {
      return changes
    }
    if let span, span.start == start, let changes = try span.netChanges(of: request, dependents) { return changes }
    let (present, journal, limit) = (reader.present, reader.journal, limitInBytes)
    return try NetChanges(
      request, dependents, from: start.next, through: reader.position, in: journal, new: reader.reader,
      limitInBytes: limit
    ) {
      start == .empty ? nil : try present.rewound(to: start, in: journal, parts: .derived, limitInBytes: limit).reader
    }
  }

  /// An update that moved the base to the head.
  struct HeadUpdate {
    let from: Position
    let changes: NetChanges
  }

  /// Moves the base to the reader's position. The caller holds the lock.
  ///
  /// - Returns: The state at that position, or `nil` if the base is already at a later position, because a reader
  ///   that began later was faster.
  private func catchUp(_ reader: borrowing StoreReader, _ span: SharedSpan?) throws -> Head? {
    guard position <= reader.position else { return nil }
    let model = reader.resolvedModel
    if model !== self.model { try resolve(in: model) }
    // The tables are behind the reader, whose later rows are in a layer: their counts are not the ones of its position.
    if base?.countsIndex == true, !reader.reader.layers.isEmpty { base = nil }
    guard let resolved else { preconditionFailure("A request that was resolved is kept.") }
    let (base, previous) = try catchUp(reader, resolved, span)
    return Head(
      request: resolved, dependents: dependents, ownRecordChanges: ownRecordChanges, base: base, previous: previous)
  }

  private func catchUp(
    _ reader: borrowing StoreReader, _ resolved: ResolvedRequest, _ span: SharedSpan?
  ) throws -> (RankBase, HeadUpdate?) {
    if let base, position == reader.position { return (base, nil) }
    // It is useless at another head, and its reference would prevent changing the base in place.
    past = nil
    if base != nil {
      do {
        let changes =
          try preparedChanges(through: reader.position)
          ?? netChanges(since: position, in: reader, resolved, dependents, ownRecordChanges, sharing: span)
        let base = movableBase()
        base.apply(changes.moves)
        try base.settle(in: reader.reader)
        let former = position
        position = reader.position
        let previous = HeadUpdate(from: former, changes: changes)
        guard base.isOutgrown else { return (base, previous) }
        let other = try makeBase(resolved, in: reader.reader, mayCount: !base.countsIndex)
        self.base = other
        return (other, previous)
      } catch is SpanTooLarge {
        base = nil
      } catch {
        base = nil
        throw error
      }
    }
    let base = try makeBase(resolved, in: reader.reader)
    self.base = base
    position = reader.position
    return (base, nil)
  }

  private func makeBase(_ request: ResolvedRequest, in reader: Reader, mayCount: Bool = true) throws -> RankBase {
    try RankBase(request, in: reader, mayCount: mayCount, keptKeyCount: store.options.keptKeyCount)
  }

  /// Moves the base by the one commit after its position. The caller holds the lock.
  ///
  /// - Precondition: There is a base, which stores its keys.
  /// - Returns: The change, no change if the commit did not touch the rows, or `nil` if its records do not show it.
  private func moveBase(by commit: CommitChanges, _ own: OwnRecordChanges) throws -> [ResultsChange]? {
    guard let net = try own.changes(by: commit) else { return nil }
    past = nil
    let base = movableBase()
    base.apply(net.moves)
    let former = position
    position = commit.position
    let (difference, causes) = try net.difference(endingAt: RankedKeys(base), in: nil)
    let change = ResultsChange(from: former, to: position, difference: difference, causes: causes)
    last = change
    // The next read builds it in its other form.
    if base.isOutgrown { self.base = nil }
    return change.isEmpty ? [] : [change]
  }

  /// Moves the base by the commit that was prepared last, if that is in the journal. The caller holds the lock.
  private func moveBaseByPrepared() {
    guard let prepared, let changes = preparedChanges(through: prepared.change.to) else { return }
    past = nil
    let base = movableBase()
    base.apply(changes.moves)
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

  private func resolve(in model: ResolvedModel) throws {
    let resolved = try ResolvedRequest(checking: request, in: model)
    if let old = self.model, let former = self.resolved {
      let isSame = RequestRegion(former, in: old) == RequestRegion(resolved, in: model)
      // The index that the base counts may be gone, though the request does not name it.
      if !isSame || base?.countsIndex == true { base = nil }
      if !isSame { last = nil }
    }
    self.resolved = resolved
    self.model = model
    dependents = RequestDependents(resolved, in: model)
    ownRecordChanges = OwnRecordChanges(resolved, dependents, in: model)
  }
}

/// Changes that are computed while their commit is flushed.
extension LiveRequest {
  /// The change of a commit, which is valid once the commit is in the journal.
  private struct PreparedChange {
    let preparation: ChangePreparation
    let changes: NetChanges
    let change: ResultsChange
  }

  /// Computes the change of a commit that is being flushed, and tells the preparation when it is there.
  ///
  /// The base stays at the position before the commit, because the flush may fail; reads continue meanwhile. It is moved
  /// when the result is read next, or when the next commit is prepared.
  func prepare(_ preparation: ChangePreparation) {
    do {
      let isCounted = lock.withLock { base?.countsIndex }
      guard let isCounted else { return }
      if isCounted {
        try store.read { reader in
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
    if reader == nil { moveBaseByPrepared() }
    guard let base, base.countsIndex == (reader != nil), position.next == preparation.position,
      preparation.changes.model === model, let net = try ownRecordChanges?.changes(by: preparation.changes)
    else { return false }
    let (difference, causes) = try net.difference(endingAt: RankedKeys(base).applying(net.moves), in: reader)
    let change = ResultsChange(from: position, to: preparation.position, difference: difference, causes: causes)
    prepared = PreparedChange(preparation: preparation, changes: net, change: change)
    return true
  }

  /// Returns the prepared change that leads from a position to the head, or `nil` if there is none.
  ///
  /// - Throws: `StoreError` if the store is closed.
  private func preparedChange(since start: Position) throws -> ResultsChange? {
    let last = lock.withLock { prepared }
    guard let prepared = last, prepared.change.from == start, let transaction = prepared.preparation.transaction else {
      return nil
    }
    try store.checkOpen()
    // Another commit may have been made since; then one change is reported for both.
    guard (try? store.journalEnvironment.lastTransactionID()) == transaction else { return nil }
    return prepared.change
  }

  /// Returns what the prepared commit changed, if it is in the journal, and leads from the base's position to another one.
  /// The caller holds the lock.
  private func preparedChanges(through end: Position) -> NetChanges? {
    guard base != nil, let prepared, prepared.preparation.transaction != nil, prepared.change.from == position,
      prepared.change.to == end
    else { return nil }
    return prepared.changes
  }
}
