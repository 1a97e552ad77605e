import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A consumer's place in the changes of several requests: the last step delivered and those computed ahead.
struct JointCursor {
  /// The position up to which everything was delivered.
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
  private var walk: JointWalk?
  private var measures: JointMeasures

  /// How often a step begins again because another follower moved the rows of a request past its reader.
  private static let maximumAttemptCount = 3

  init(_ joined: [JointRequest], from start: Position, stepwise isStepwise: Bool, showing shownCount: Int = 0) {
    (position, through, given) = (start, start, start)
    self.shownCount = shownCount
    self.isStepwise = isStepwise
    self.joined = joined
    measures = JointMeasures(joined)
    let followed = measures.requests
    var requests: [FetchRequest] = []
    for request in followed where !requests.contains(request) { requests.append(request) }
    numbers = followed.map { request in requests.firstIndex(of: request) ?? 0 }
    self.requests = requests
  }

  /// Returns the next step that is not empty, or `nil` at the head.
  ///
  /// - Parameter lives: The followed ``requests``, in their order.
  mutating func next(_ lives: [LiveRequest], in store: Store) throws -> JointChange? {
    while pending.isEmpty {
      let before = through
      pending = try compute(lives, in: store.opened)[...]
      guard pending.isEmpty else { break }
      position = through
      if !isStepwise || through == before { return nil }
    }
    guard let step = pending.popFirst() else { return nil }
    (position, given) = (step.to, step.to)
    return step
  }

  /// Computes the next steps; some of them, or none, if the head is not reached yet.
  private mutating func compute(_ lives: [LiveRequest], in store: OpenStore) throws -> [JointChange] {
    var attempt = 0
    while true {
      attempt += 1
      let canShare = attempt <= JointCursor.maximumAttemptCount
      var walk = walk.take()
      var measures = measures
      // Taken out while they change: another reference to their storage would have all of it copied. The values stay, so
      // that after an error only others are delivered.
      self.measures.forget(keeping: measures.values)
      var isRepeated = false
      let result = try store.read { reader -> [Outcome]? in
        // Projections that were found damaged were replaced meanwhile.
        if isRepeated { (walk, measures) = (nil, JointMeasures(joined)) }
        isRepeated = true
        return try steps(
          lives, &walk, &measures, in: reader, limit: store.options.viewOfPastLimitInBytes, canShare: canShare)
      }
      self.measures = measures
      guard let outcomes = result else { continue }
      self.walk = walk
      if let last = outcomes.last { through = last.position }
      return deliverable(outcomes)
    }
  }

  /// What a span did to the requests.
  private struct Outcome {
    let position: Position
    /// The change of each followed request.
    let changes: [ResultsChange]
    /// The new value of each joined measure that changed.
    let values: [Value?]
    let shown: ShownObjects?
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

extension JointCursor {
  /// Reads what happened to the requests; `nil` if rows are already at a later position than the reader.
  private func steps(
    _ lives: [LiveRequest], _ walk: inout JointWalk?, _ measures: inout JointMeasures,
    in reader: borrowing StoreReader, limit: Int, canShare: Bool
  ) throws -> [Outcome]? {
    try reader.requirePosition(through)
    let end = reader.position
    guard through < end || !measures.areRead else { return [] }
    let span = SharedSpan(from: through, to: reader, limitInBytes: limit)
    var heads: [LiveRequest.Head] = []
    for live in lives {
      if let head = try live.head(in: reader, sharing: span) {
        heads.append(head)
      } else if canShare {
        return nil
      } else {
        heads.append(try live.ownHead(in: reader))
      }
    }
    if isStepwise, through < end, through.next < end || walk != nil,
      let outcomes = try walked(lives, heads, &walk, &measures, span, in: reader, limit: limit)
    {
      return outcomes
    }
    walk = nil
    return [try coalesced(lives, heads, &measures, span, in: reader, limit: limit)]
  }

  /// Computes one step to the head.
  private func coalesced(
    _ lives: [LiveRequest], _ heads: [LiveRequest.Head], _ measures: inout JointMeasures, _ span: SharedSpan,
    in reader: borrowing StoreReader, limit: Int
  ) throws -> Outcome {
    let end = reader.position
    var changes: [ResultsChange] = []
    for (live, head) in zip(lives, heads) {
      guard through < end else {
        changes.append(ResultsChange(from: end, to: end, difference: Difference(sections: [], rows: [])))
        continue
      }
      var change = try live.change(in: reader, head, sharing: span)
      if isShown(changes.count),
        try live.mayLackCauses(
          change, after: given, through: through, head.dependents, in: reader.reader, before: span.formerReader)
      {
        let whole = SharedSpan(from: given, to: reader, limitInBytes: limit)
        change = try live.change(in: reader, head, sharing: whole)
      }
      changes.append(change)
    }
    let present = reader.reader
    let values = try measures.move(by: numbers.map { changes[$0] }) { index in
      let window = try RankedWindow(RankedKeys(heads[numbers[index]].base), in: present)
      return RowView(rows: .window(window), entity: window.request.entity, reader: present, position: end)
    }
    return Outcome(position: end, changes: changes, values: values, shown: try shown(by: changes, in: present))
  }

  /// Computes the steps of the next commits; `nil` if they cannot be walked, because a request has a reset on the way.
  private func walked(
    _ lives: [LiveRequest], _ heads: [LiveRequest.Head], _ kept: inout JointWalk?, _ measures: inout JointMeasures,
    _ span: SharedSpan, in reader: borrowing StoreReader, limit: Int
  ) throws -> [Outcome]? {
    for head in heads where try head.isReset(from: through, in: reader) { return nil }
    let values = measures.values
    do {
      // Removed while in use: after a failure the walk may be unusable.
      var walk =
        try usable(kept.take(), lives, heads, in: reader, limit: limit)
        ?? JointWalk(heads, of: reader, sharing: span, limitInBytes: limit)
      let end = min(reader.position, Position(through.number + UInt64(LiveRequest.maximumStepCount)))
      var outcomes: [Outcome] = []
      var given = given
      let beginning = ContinuousClock.now
      while walk.position < end, outcomes.isEmpty || beginning.duration(to: .now) < LiveRequest.stepTime {
        let start = walk.position
        var changes = try walk.advance(in: reader, limitInBytes: limit)
        let (past, position) = (walk.reader(over: reader.reader), walk.position)
        let (rows, present) = (walk.rows.map(\.ranked), reader.reader)
        let values = try measures.move(by: numbers.map { changes[$0] }) { index in
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
      measures.forget(keeping: values)
      return nil
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

  private func usable(
    _ walk: consuming JointWalk?, _ lives: [LiveRequest], _ heads: [LiveRequest.Head],
    in reader: borrowing StoreReader, limit: Int
  ) throws -> JointWalk? {
    guard var walk, walk.position == through else { return nil }
    return try walk.follow(reader, lives, heads, limitInBytes: limit) ? walk : nil
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
