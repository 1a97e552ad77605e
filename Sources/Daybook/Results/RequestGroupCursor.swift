import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A consumer's place in the changes of a group of requests: the last step delivered and those computed ahead.
///
/// A single request is a group of one.
struct RequestGroupCursor {
  /// The position up to which everything was delivered.
  ///
  /// It may be later than the end of the last delivered step, because commits that changed nothing count.
  private(set) var position: Position
  /// The followed requests, each once.
  let requests: [FetchRequest]
  private let granularity: ChangeGranularity
  private let joined: [JointRequest]
  /// The number of the first requests whose steps hold the objects of the changed rows; 0 if none do. Of the rows of the
  /// others, only changes of how many a section has are delivered.
  private let shownCount: Int
  /// For each joined request, the number of the followed request.
  private let numbers: [Int]
  /// Whether steps consist of nothing but the changes of rows.
  private let needsOnlyRows: Bool
  /// The end of the last delivered step, or the start position before the first one.
  private var given: Position
  /// The time of the results at ``position``, if a request reads the time; `nil` before it is known.
  private(set) var time: Timestamp?
  /// The time of the results at ``given``, likewise.
  private var givenTime: Timestamp?
  /// The time of the results at ``through``, likewise.
  private var throughTime: Timestamp?
  /// Whether a request reads the time.
  private let readsTime: Bool
  /// The steps that were computed and not delivered yet.
  private var pending: ArraySlice<JointChange> = []
  /// The position up to which steps were computed.
  private var through: Position
  /// Computes the steps of commits before the head one by one, if the cursor is stepwise.
  private var walk: RequestGroupWalk?
  /// The rows of projections of which everything was delivered; `nil` if nothing was.
  private(set) var stamp: ScopeStamp?
  /// Whether the consumer has results of another journal.
  private var isForeign = false
  private var aggregates: LiveAggregates

  /// How often a step begins again because another follower moved the rows of a request past its reader.
  private static let maximumAttemptCount = 3

  /// - Parameters:
  ///   - stamp: The rows of projections of which the results at the start are; `nil` for empty results.
  ///   - time: The time of the results at the start, if they depend on it; `nil` for the time at which the commit of the
  ///     position was recorded.
  init(
    _ joined: [JointRequest], from start: Position, of stamp: ScopeStamp?, at time: Timestamp? = nil,
    granularity: ChangeGranularity,
    showing shownCount: Int = 0
  ) {
    self.stamp = stamp
    (position, through, given) = (start, start, start)
    self.shownCount = shownCount
    self.granularity = granularity
    self.joined = joined
    needsOnlyRows = shownCount == 0 && joined.allSatisfy { $0.measure == nil }
    aggregates = LiveAggregates(joined)
    let followed = aggregates.requests
    var requests: [FetchRequest] = []
    for request in followed where !requests.contains(request) { requests.append(request) }
    numbers = followed.map { request in requests.firstIndex(of: request) ?? 0 }
    self.requests = requests
    readsTime = requests.contains(where: \.mayReadTime)
    setTime(time)
  }

  /// Sets the time of the results at all places.
  private mutating func setTime(_ time: Timestamp?) {
    guard readsTime else { return }
    (self.time, givenTime, throughTime) = (time, time, time)
  }

  /// Returns the next step that is not empty, or `nil` at the head.
  ///
  /// - Parameters:
  ///   - lives: The followed ``requests``, in their order.
  ///   - given: The position from which the step is reported; `nil` for the end of the last delivered step. The commits
  ///     between it and ``position`` changed nothing, and may still be among the causes.
  /// - Throws: `StoreError`: `closed`; `badRequest` if a later model lacks what a request names.
  mutating func next(
    _ lives: [LiveRequest], in store: Store, reportedFrom given: Position? = nil
  ) throws -> JointChange? {
    if let given { (self.given, givenTime) = (given, time) }
    while pending.isEmpty {
      let (before, former) = (through, stamp)
      if let known = try known(lives) {
        (position, through) = (known.position, known.position)
        if let step = known.step {
          self.given = step.to
          return step
        }
      } else {
        pending = try compute(lives, in: store.keeper)[...]
        guard pending.isEmpty else { break }
        (position, time) = (through, throughTime)
      }
      // Commits after those that changed nothing may still change the result.
      if stamp == former, granularity == .coalesced || through == before { return nil }
    }
    guard let step = pending.popFirst() else { return nil }
    (position, self.given) = (step.to, step.to)
    (time, givenTime) = (step.time, step.time)
    return step
  }

  /// Resumes from another position.
  ///
  /// - Parameter time: The time of the results there, if a request reads the time.
  mutating func move(to position: Position, of stamp: ScopeStamp?, at time: Timestamp?) {
    (self.position, through, given, pending, walk) = (position, position, position, [], nil)
    setTime(time)
    self.stamp = stamp
  }

  /// Begins with a reset: the consumer has results of another journal.
  mutating func forgetRows() { isForeign = true }

  /// Computes the next steps; some of them, or none, if the head is not reached yet.
  private mutating func compute(_ lives: [LiveRequest], in store: ProjectionKeeper) throws -> [JointChange] {
    var attempt = 0
    while true {
      attempt += 1
      // The rows of a single request are met by a later reader.
      let ranksAnew = lives.count > 1 && attempt > RequestGroupCursor.maximumAttemptCount
      var walk = walk.take()
      var aggregates = aggregates
      // Taken out while they change: another reference to their storage would have all of it copied. The values stay, so
      // that after an error only others are delivered.
      self.aggregates.forget(keeping: aggregates.values)
      var isRepeated = false
      var (stamp, start) = (stamp, throughTime)
      let result = try store.readIfBuilt(in: lives[0].scope) { reader -> [Outcome]? in
        // Projections that were found damaged were replaced meanwhile.
        if isRepeated { (walk, aggregates) = (nil, LiveAggregates(joined)) }
        isRepeated = true
        // What a projection lacks is waited for.
        if reader.position < through, !lives[0].scope.isStored { return [] }
        try reader.requirePosition(through)
        let former = isForeign ? nil : stamp
        let isReplaced = isForeign || stamp.map { $0 != reader.stamp } ?? false
        stamp = reader.stamp
        if isReplaced {
          if let former, let outcome = changeOfRows(lives, from: former, to: reader.stamp) { return [outcome] }
          (walk, aggregates) = (nil, LiveAggregates(joined))
          return try RequestGroup(lives, since: reader.position, in: reader, of: store, ranksAnew: ranksAnew)
            .map { [try replaced($0, &aggregates, in: reader)] }
        }
        guard through < reader.position || !aggregates.areRead || readsTime else { return [] }
        if readsTime, start == nil { start = try reader.recordedTime(of: through) }
        return try RequestGroup(lives, since: through, at: start, in: reader, of: store, ranksAnew: ranksAnew)
          .map { try steps($0, &walk, &aggregates, since: start, in: reader) }
      }
      self.aggregates = aggregates
      // What has no rows is waited for, too.
      guard let outcomes = result ?? [] else { continue }
      self.stamp = stamp
      if !outcomes.isEmpty { isForeign = false }
      self.walk = walk
      if readsTime, throughTime == nil { setTime(start) }
      if let last = outcomes.last { (through, throughTime) = (last.position, last.time) }
      return deliverable(outcomes)
    }
  }

  /// Returns the position after the last commit, and the step to it unless that is empty; or `nil` if they are not known
  /// without a transaction.
  private func known(_ lives: [LiveRequest]) throws -> (position: Position, step: JointChange?)? {
    guard walk == nil, aggregates.areRead, !isForeign,
      let changes = try RequestGroup.knownChanges(
        of: lives, since: through, reportedFrom: given, in: stamp ?? .stored),
      let to = changes.first?.to
    else { return nil }
    if changes.allSatisfy(\.isEmpty) { return (to, nil) }
    // Values and objects are read in a transaction.
    guard needsOnlyRows else { return nil }
    let parts = numbers.map { number -> JointChange.Part? in
      let change = changes[number]
      return change.isEmpty ? nil : .rows(change.reported(from: given, to: to))
    }
    return (to, JointChange(from: given, to: to, parts: parts, requests: joined, stamp: stamp ?? .stored, shown: nil))
  }

  /// What a span did to the requests.
  private struct Outcome {
    let position: Position
    /// The time of the results, if a request reads the time.
    let time: Timestamp?
    /// The change of each followed request.
    var changes: [ResultsChange]
    /// The new value of each joined measure that changed.
    let values: [Value?]
    let shown: ShownObjects?

    /// The same with a reset in place of each change.
    var resetting: Outcome {
      let resets = changes.map { $0.isEmpty ? $0 : .reset(from: $0.from, to: $0.to) }
      return Outcome(position: position, time: time, changes: resets, values: values, shown: shown)
    }
  }

  /// Reads the objects of the changed rows of the first requests.
  private func shown(
    by changes: [ResultsChange], of rows: [PlacedRows], _ model: ResolvedModel
  ) throws -> ShownObjects? {
    guard shownCount > 0 else { return nil }
    var shown = ShownObjects(model: model)
    for number in Set(numbers.prefix(shownCount)) {
      try shown.read(changes[number], of: requests[number], in: rows[number].reader)
    }
    return shown
  }

  private func deliverable(_ outcomes: [Outcome]) -> [JointChange] {
    var (steps, start) = ([JointChange](), given)
    for outcome in outcomes {
      let (from, to) = (start, outcome.position)
      let parts = joined.indices.map { index -> JointChange.Part? in
        if joined[index].measure != nil {
          return outcome.values[index].map { .value(LiveValue(position: to, value: $0)) }
        }
        let change = outcome.changes[numbers[index]]
        return isPart(index, change) ? .rows(change.reported(from: from, to: to)) : nil
      }
      guard parts.contains(where: { $0 != nil }) else { continue }
      steps.append(
        JointChange(
          from: from, to: to, parts: parts, requests: joined, stamp: stamp ?? .stored, time: outcome.time,
          shown: outcome.shown))
      start = to
    }
    return steps
  }
}

extension RequestGroupCursor {
  /// Reads what happened to the requests.
  private func steps(
    _ group: RequestGroup, _ walk: inout RequestGroupWalk?, _ aggregates: inout LiveAggregates,
    since time: Timestamp?, in reader: borrowing StoreReader
  ) throws -> [Outcome] {
    let (start, end) = (group.range.start, reader.position)
    guard granularity == .everyCommit, start < end, start.next < end || walk != nil, try !group.hasReset(in: reader)
    else {
      walk = nil
      return [try coalesced(group, &aggregates, since: time, in: reader)]
    }
    let values = aggregates.values
    do {
      return try walked(group, &walk, &aggregates, since: time, in: reader)
    } catch  where RequestGroupCursor.preventsWalk(error) {
      aggregates.forget(keeping: values)
      // What cannot be reported commit by commit is not reported as one difference of several either.
      return [try coalesced(group, &aggregates, since: time, in: reader).resetting]
    }
  }

  /// Whether an error prevents a walk through commits that lead to a state where all requests are answered: there are too
  /// many, or a model between them lacks what a request names, and a later one has it again.
  private static func preventsWalk(_ error: any Error) -> Bool {
    error is SpanTooLarge || (error as? StoreError)?.code == .badRequest
  }

  /// Returns the step to rows that have replaced the ones of the last step, at the position of the replacement, or `nil`
  /// if the difference is not known, or values and objects are delivered with it, which are read at the head.
  private func changeOfRows(_ lives: [LiveRequest], from former: ScopeStamp, to present: ScopeStamp) -> Outcome? {
    guard needsOnlyRows else { return nil }
    let changes = lives.compactMap { $0.changeOfRows(from: former, to: present, since: through) }
    guard changes.count == lives.count, let position = changes.first?.to else { return nil }
    return Outcome(
      position: position, time: throughTime, changes: changes, values: joined.map { _ in nil }, shown: nil)
  }

  /// Returns the step to rows that have replaced the ones of the last step, as a reset.
  private func replaced(
    _ group: RequestGroup, _ aggregates: inout LiveAggregates, in reader: borrowing StoreReader
  ) throws -> Outcome {
    let resets = requests.map { _ in ResultsChange.reset(from: through, to: reader.position) }
    return try outcome(
      resets, group.rows(in: reader), &aggregates, reader.reader.model, reader.reader, at: reader.position, group.time)
  }

  /// Computes one step to the head.
  private func coalesced(
    _ group: RequestGroup, _ aggregates: inout LiveAggregates, since time: Timestamp?, in reader: borrowing StoreReader
  ) throws -> Outcome {
    let changes = try group.changes(reportedFrom: given, (time, givenTime ?? time), in: reader, needsCauses: isShown)
    return try outcome(
      changes, group.rows(in: reader), &aggregates, reader.reader.model, reader.reader, at: reader.position, group.time)
  }

  /// Computes the steps of the next commits.
  ///
  /// - Parameter kept: The walk of the last call; `nil` at the head, where the shared rows are enough, and after an error,
  ///   when it may be unusable.
  private func walked(
    _ group: RequestGroup, _ kept: inout RequestGroupWalk?, _ aggregates: inout LiveAggregates,
    since time: Timestamp?, in reader: borrowing StoreReader
  ) throws -> [Outcome] {
    var walk = try group.walk(kept.take(), at: time, in: reader)
    let end = min(reader.position, Position(group.range.start.number + UInt64(LiveRequest.maximumStepCount)))
    var (outcomes, given, givenTime) = ([Outcome](), given, givenTime ?? time)
    let beginning = ContinuousClock.now
    while walk.position < end, outcomes.isEmpty || beginning.duration(to: .now) < LiveRequest.stepTime {
      // A consumer that began at a later time stays there until commits reach it.
      let next = try walk.time.map { max($0, try reader.recordedTime(of: walk.position.next)) }
      do {
        let changes = try walk.move(
          to: walk.position.next, at: next, in: reader, limitInBytes: group.range.limitInBytes)
        let model = walk.reader(over: reader.reader).model
        var made = try outcome(
          changes, walk.rows(over: reader.reader), &aggregates, model, reader.reader, at: walk.position, next)
        if isStep(made) {
          made.changes = try group.completing(
            changes, of: walk, reportedFrom: given, at: givenTime, in: reader, needsCauses: isShown)
          (given, givenTime) = (walk.position, next)
        }
        outcomes.append(made)
      } catch  where !outcomes.isEmpty && !RequestGroupCursor.preventsWalk(error) {
        // The steps before are delivered; the next call meets the error, at the position of the last of them.
        aggregates.forget(keeping: aggregates.values)
        return outcomes
      }
    }
    if walk.position < reader.position { kept = walk }
    return outcomes
  }

  /// Reads the values and the objects at the end of changes.
  ///
  /// - Parameters:
  ///   - rows: The rows of each request there.
  ///   - model: The model there.
  ///   - head: Reads the head, to which the bases of the rows belong.
  private func outcome(
    _ changes: [ResultsChange], _ rows: [PlacedRows], _ aggregates: inout LiveAggregates, _ model: ResolvedModel,
    _ head: Reader, at position: Position, _ time: Timestamp?
  ) throws -> Outcome {
    let values = try aggregates.move(by: numbers.map { changes[$0] }) { index in
      let row = rows[numbers[index]]
      let window = try RankedWindow(row.ranked, in: head)
      return RowView(rows: .window(window), entity: window.request.entity, reader: row.reader, position: position)
    }
    return Outcome(
      position: position, time: time, changes: changes, values: values,
      shown: try shown(by: changes, of: rows, model))
  }

  /// Returns whether the rows that changed in a followed request are delivered, and need their causes; if not, only numbers
  /// are taken from its changes.
  private func isShown(_ number: Int) -> Bool {
    joined.indices.contains { joined[$0].measure == nil && numbers[$0] == number && !isCounted($0) }
  }

  /// Whether only the sizes of a request's sections matter.
  private func isCounted(_ index: Int) -> Bool { shownCount > 0 && index >= shownCount }

  /// Returns whether a change of a request is a part of a step.
  private func isPart(_ index: Int, _ change: ResultsChange) -> Bool {
    isCounted(index) ? change.isReset || change.difference.changesCounts : !change.isEmpty
  }

  /// Returns whether an outcome is delivered.
  private func isStep(_ outcome: Outcome) -> Bool {
    joined.indices.contains { index in
      joined[index].measure != nil ? outcome.values[index] != nil : isPart(index, outcome.changes[numbers[index]])
    }
  }
}

private extension Difference {
  /// Whether there are other sections, or one has another number of rows.
  var changesCounts: Bool {
    guard sections.isEmpty else { return true }
    var balances: [Int: Int] = [:]
    for row in rows {
      if let from = row.from { balances[from.section, default: 0] -= 1 }
      if let to = row.to { balances[to.section, default: 0] += 1 }
    }
    return balances.values.contains { $0 != 0 }
  }
}
