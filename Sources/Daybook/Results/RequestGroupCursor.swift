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
  private let isStepwise: Bool
  private let joined: [JointRequest]
  /// The number of the first requests whose steps hold the objects of the changed rows; 0 if none do. Of the rows of the
  /// others, only changes of how many a section has are delivered.
  private let shownCount: Int
  /// For each joined request, the number of the followed request.
  private let numbers: [Int]
  /// The end of the last delivered step, or the start position before the first one.
  private var given: Position
  /// The steps that were computed and not delivered yet.
  private var pending: ArraySlice<JointChange> = []
  /// The position up to which steps were computed.
  private var through: Position
  /// Computes the steps of commits before the head one by one, if the cursor is stepwise.
  private var walk: RequestGroupWalk?
  private var aggregates: LiveAggregates

  /// How often a step begins again because another follower moved the rows of a request past its reader.
  private static let maximumAttemptCount = 3

  init(_ joined: [JointRequest], from start: Position, stepwise isStepwise: Bool, showing shownCount: Int = 0) {
    (position, through, given) = (start, start, start)
    self.shownCount = shownCount
    self.isStepwise = isStepwise
    self.joined = joined
    aggregates = LiveAggregates(joined)
    let followed = aggregates.requests
    var requests: [FetchRequest] = []
    for request in followed where !requests.contains(request) { requests.append(request) }
    numbers = followed.map { request in requests.firstIndex(of: request) ?? 0 }
    self.requests = requests
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
    if let given { self.given = given }
    while pending.isEmpty {
      let before = through
      pending = try compute(lives, in: store.opened)[...]
      guard pending.isEmpty else { break }
      position = through
      // Commits after those that changed nothing may still change the result.
      if !isStepwise || through == before { return nil }
    }
    guard let step = pending.popFirst() else { return nil }
    (position, self.given) = (step.to, step.to)
    return step
  }

  /// Resumes from another position.
  mutating func move(to position: Position) {
    (self.position, through, given, pending, walk) = (position, position, position, [], nil)
  }

  /// Computes the next steps; some of them, or none, if the head is not reached yet.
  private mutating func compute(_ lives: [LiveRequest], in store: OpenStore) throws -> [JointChange] {
    if let known = try known(lives) {
      through = known.position
      return deliverable([known])
    }
    var attempt = 0
    while true {
      attempt += 1
      // The rows of one request alone are met by a later reader.
      let canShare = attempt <= RequestGroupCursor.maximumAttemptCount || lives.count == 1
      var walk = walk.take()
      var aggregates = aggregates
      // Taken out while they change: another reference to their storage would have all of it copied. The values stay, so
      // that after an error only others are delivered.
      self.aggregates.forget(keeping: aggregates.values)
      var isRepeated = false
      let result = try store.read { reader -> [Outcome]? in
        // Projections that were found damaged were replaced meanwhile.
        if isRepeated { (walk, aggregates) = (nil, LiveAggregates(joined)) }
        isRepeated = true
        return try steps(lives, &walk, &aggregates, in: reader, of: store, canShare: canShare)
      }
      self.aggregates = aggregates
      guard let outcomes = result else { continue }
      self.walk = walk
      if let last = outcomes.last { through = last.position }
      return deliverable(outcomes)
    }
  }

  /// Returns what the last commit did, or `nil` if that is not known without a transaction.
  private func known(_ lives: [LiveRequest]) throws -> Outcome? {
    guard walk == nil, aggregates.areRead else { return nil }
    var changes: [ResultsChange] = []
    for live in lives {
      guard let change = try live.knownChange(since: through, reportedFrom: given),
        change.to == changes.first?.to ?? change.to
      else { return nil }
      changes.append(change)
    }
    // Values and objects are read in a transaction.
    guard let first = changes.first, needsOnlyRows || changes.allSatisfy(\.isEmpty) else { return nil }
    return Outcome(position: first.to, changes: changes, values: joined.map { _ in nil }, shown: nil)
  }

  /// Whether steps consist of nothing but the changes of rows.
  private var needsOnlyRows: Bool { shownCount == 0 && joined.allSatisfy { $0.measure == nil } }

  /// What a span did to the requests.
  private struct Outcome {
    let position: Position
    /// The change of each followed request.
    let changes: [ResultsChange]
    /// The new value of each joined measure that changed.
    let values: [Value?]
    let shown: ShownObjects?

    /// The same with a reset in place of each change.
    var resetting: Outcome {
      let resets = changes.map { $0.isEmpty ? $0 : .reset(from: $0.from, to: $0.to) }
      return Outcome(position: position, changes: resets, values: values, shown: shown)
    }
  }

  /// Reads the objects of the changed rows of the first requests.
  private func shown(by changes: [ResultsChange], in reader: Reader) throws -> ShownObjects? {
    guard shownCount > 0 else { return nil }
    var shown = ShownObjects(model: reader.model)
    for number in Set(numbers.prefix(shownCount)) { try shown.read(changes[number], in: reader) }
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
      steps.append(JointChange(from: from, to: to, parts: parts, requests: joined, shown: outcome.shown))
      start = to
    }
    return steps
  }
}

extension RequestGroupCursor {
  /// Reads what happened to the requests; `nil` if rows are already at a later position than the reader.
  private func steps(
    _ lives: [LiveRequest], _ walk: inout RequestGroupWalk?, _ aggregates: inout LiveAggregates,
    in reader: borrowing StoreReader, of store: OpenStore, canShare: Bool
  ) throws -> [Outcome]? {
    try reader.requirePosition(through)
    let end = reader.position
    guard through < end || !aggregates.areRead else { return [] }
    let from = min(end, lives.lazy.map { $0.unchanged(since: through) }.min() ?? through)
    let range = CommitRange(from: from, to: reader, of: store, isShared: lives.count > 1)
    var heads: [LiveRequest.Head] = []
    for live in lives {
      if let head = try live.head(in: reader, sharing: range) {
        heads.append(head)
      } else if canShare {
        return nil
      } else {
        heads.append(try live.ownHead(in: reader))
      }
    }
    if isStepwise, from < end, from.next < end || walk != nil,
      let outcomes = try walked(lives, heads, &walk, &aggregates, range, in: reader, of: store)
    {
      return outcomes
    }
    walk = nil
    return [try coalesced(lives, heads, &aggregates, range, in: reader, of: store)]
  }

  /// Computes one step to the head.
  private func coalesced(
    _ lives: [LiveRequest], _ heads: [LiveRequest.Head], _ aggregates: inout LiveAggregates, _ range: CommitRange,
    in reader: borrowing StoreReader, of store: OpenStore
  ) throws -> Outcome {
    let (end, present) = (reader.position, reader.reader)
    let whole = CommitRange(from: given, to: reader, of: store, isShared: lives.count > 1)
    var changes: [ResultsChange] = []
    for (live, head) in zip(lives, heads) {
      guard range.start < end else {
        changes.append(ResultsChange(from: end, to: end, difference: Difference(sections: [], rows: [])))
        continue
      }
      var change = try live.change(over: range, in: reader, head)
      if isShown(changes.count),
        try live.mayLackCauses(
          change, after: given, through: range.start, head.dependents, in: present, before: range.formerReader)
      {
        change = try live.change(over: whole, in: reader, head)
      }
      changes.append(change)
    }
    let values = try aggregates.move(by: numbers.map { changes[$0] }) { index in
      let window = try RankedWindow(RankedKeys(heads[numbers[index]].base), in: present)
      return RowView(rows: .window(window), entity: window.request.entity, reader: present, position: end)
    }
    return Outcome(position: end, changes: changes, values: values, shown: try shown(by: changes, in: present))
  }

  /// Computes the steps of the next commits; `nil` if they cannot be walked, because a request has a reset on the way.
  private func walked(
    _ lives: [LiveRequest], _ heads: [LiveRequest.Head], _ kept: inout RequestGroupWalk?,
    _ aggregates: inout LiveAggregates, _ range: CommitRange, in reader: borrowing StoreReader, of store: OpenStore
  ) throws -> [Outcome]? {
    for head in heads where try head.isReset(from: range.start, in: reader) { return nil }
    let (values, limit) = (aggregates.values, store.options.viewOfPastLimitInBytes)
    do {
      // Removed while in use: after a failure the walk may be unusable.
      var walk = try RequestGroupWalk.at(range, kept.take(), heads, in: reader, of: store)
      let end = min(reader.position, Position(range.start.number + UInt64(LiveRequest.maximumStepCount)))
      var (outcomes, given) = ([Outcome](), given)
      let beginning = ContinuousClock.now
      while walk.position < end, outcomes.isEmpty || beginning.duration(to: .now) < LiveRequest.stepTime {
        let start = walk.position
        var changes = try walk.move(to: start.next, in: reader, limitInBytes: limit)
        let (past, position) = (walk.reader(over: reader.reader), walk.position)
        let (rows, present) = (walk.rows.map(\.ranked), reader.reader)
        let values = try aggregates.move(by: numbers.map { changes[$0] }) { index in
          let window = try RankedWindow(rows[numbers[index]], in: present)
          return RowView(rows: .window(window), entity: window.request.entity, reader: past, position: position)
        }
        if isStep(changes, values) {
          for number in changes.indices
          where try isShown(number)
            && lives[number].mayLackCauses(
              changes[number], after: given, through: start, heads[number].dependents, in: past,
              before: { try walk.reader(at: start, in: reader, limitInBytes: limit) })
          {
            changes[number] = try walk.completing(
              changes[number], of: number, from: given, in: reader, limitInBytes: limit)
          }
          given = position
        }
        outcomes.append(
          Outcome(position: position, changes: changes, values: values, shown: try shown(by: changes, in: past)))
      }
      if walk.position < reader.position { kept = walk }
      return outcomes
    } catch is SpanTooLarge {
      aggregates.forget(keeping: values)
      // What cannot be told commit by commit is not told as one difference of several either.
      return [try coalesced(lives, heads, &aggregates, range, in: reader, of: store).resetting]
    }
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

  /// Returns whether a step with these changes and values is delivered.
  private func isStep(_ changes: [ResultsChange], _ values: [Value?]) -> Bool {
    joined.indices.contains { index in
      joined[index].measure != nil ? values[index] != nil : isPart(index, changes[numbers[index]])
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
