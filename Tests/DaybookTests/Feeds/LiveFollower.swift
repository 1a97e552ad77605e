import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// Live results of a random request, with their last state.
final class LiveFollower: RequestFollower {
  private(set) var plain: PlainRequest
  private let feed: FeedRun
  private let results: LiveResults<StoredObject>
  private let isStepwise: Bool
  private var random: SeededRandom
  /// The result of the differences so far.
  private var shown: SectionedIDs<ObjectID>

  init(_ plain: PlainRequest, of feed: FeedRun, random: SeededRandom) throws {
    (self.plain, self.feed, self.random) = (plain, feed, random)
    isStepwise = self.random.isTrue(percent: 30)
    results = try feed.store.liveResults(
      of: plain.request, granularity: isStepwise ? .everyCommit : .coalesced)
    shown = feed.result(plain, at: feed.head)
    guard results.position.number == feed.head else { throw Mismatch("it begins at \(results.position)") }
    try checkReads()
  }

  var isAnswered: Bool { feed.isAnswered(plain) }

  private var position: UInt64 { results.position.number }

  func step() throws {
    do {
      try checkReads()
    } catch let error as StoreError where error.code == .expired {
      // A change of the model cannot be traversed backward; the next difference is a reset.
      guard hasModel(from: position, to: feed.head) else { throw error }
    }
    switch random.number(0...9) {
    case 0: try hold()
    case 1: try release()
    case 2: try changeRequest()
    default: try update()
    }
    if position == feed.head { try checkReads() }
  }

  private func hasModel(from: UInt64, to: UInt64) -> Bool {
    feed.modelPositions.contains { $0 > from && $0 <= to }
  }

  private func update() throws {
    var count = 0
    repeat {
      let (from, before, wasHeld) = (position, shown, results.isOrderFrozen)
      guard let change = try results.update() else {
        guard position == feed.head else { throw Mismatch("nothing is new, but it stands at \(position)") }
        if !wasHeld { try checkNothing(from: from, to: position) }
        shown = wasHeld ? held(before) : shown
        guard shown == before else { throw Mismatch("what was held changed silently") }
        return
      }
      try check(change, from: from, before, wasHeld: wasHeld)
      count += 1
    } while isStepwise ? random.isTrue(percent: 80) : count < 2
  }

  private func check(
    _ change: ResultsChange, from: UInt64, _ before: SectionedIDs<ObjectID>, wasHeld: Bool
  ) throws {
    do {
      guard change.from.number == from, change.to.number == position else { throw Mismatch("wrong positions") }
      if change.isReset {
        guard hasModel(from: from, to: position) else { throw Mismatch("a reset without a change of the model") }
        guard !results.isOrderFrozen else { throw Mismatch("the order is frozen over a reset") }
        shown = feed.result(plain, at: position)
      } else if !feed.isNamed(plain, at: position) {
        // A model in between had other names.
        shown = try before.applying(change.difference)
      } else if wasHeld {
        shown = try before.applying(change.difference)
        guard shown == held(before) else { throw Mismatch("held, it is \(shown) instead of \(held(before))") }
        let isInPlace = change.difference.rows.allSatisfy { row in
          switch row {
          case .delete, .update: true
          case .insert, .move: false
          }
        }
        guard isInPlace else { throw Mismatch("rows leave their places while they are held") }
      } else {
        shown = try before.applying(change.difference)
        if isStepwise {
          try checkStep(change, from: from)
        } else {
          guard position == feed.head else { throw Mismatch("it is not at the head") }
          try feed.checkDifference(plain, change, from: from, to: position)
          try feed.checkCauses(plain, change)
        }
      }
    } catch {
      throw Mismatch("\(error)\nheld \(wasHeld), stepwise \(isStepwise), from \(from): \(change)")
    }
  }

  /// Returns the expected result while the order is frozen: the remaining rows in their places.
  private func held(_ before: SectionedIDs<ObjectID>) -> SectionedIDs<ObjectID> {
    let there = Set(feed.result(plain, at: position).sections.flatMap(\.rows))
    let kept = before.sections.map {
      ListSection(name: $0.name, rows: $0.rows.filter(there.contains))
    }
    return SectionedIDs(sections: plain.request.section == nil ? kept : kept.filter { !$0.rows.isEmpty })
  }

  /// Checks a change of one commit, with the causes of all since the last change: the commits before it changed nothing.
  private func checkStep(_ change: ResultsChange, from: UInt64) throws {
    try checkNothing(from: from, to: position - 1)
    try feed.checkDifference(plain, change, from: from, to: position)
    try feed.checkCauses(plain, change)
  }

  /// Checks that no commit of a span changed the result.
  private func checkNothing(from: UInt64, to: UInt64) throws {
    guard from < to, feed.canAnswer(at: from) else { return }
    let spans = isStepwise ? (from..<to).map { ($0, $0 + 1) } : [(from, to)]
    for (from, to) in spans {
      let nothing = ResultsChange(
        from: Position(from), to: Position(to), difference: Difference(sections: [], rows: []))
      do {
        try feed.checkDifference(plain, nothing, from: from, to: to)
      } catch {
        throw Mismatch("a change from \(from) to \(to) was missed: \(error)")
      }
    }
  }

  private func hold() throws {
    do {
      try results.freezeOrder()
    } catch let error as StoreError where error.code == .expired {
      guard hasModel(from: position, to: feed.head) else { throw error }
    }
  }

  private func release() throws {
    guard results.isOrderFrozen else { return }
    do {
      if let change = try results.thawOrder() {
        guard change.from == change.to, change.to.number == position else { throw Mismatch("wrong positions") }
        shown = try shown.applying(change.difference)
      }
    } catch let error as StoreError where error.code == .expired {
      guard hasModel(from: position, to: feed.head), results.isOrderFrozen else { throw error }
      return
    }
    guard feed.isNamed(plain, at: position) else { return }
    let wanted = feed.result(plain, at: position)
    guard shown == wanted else { throw Mismatch("let go it is \(shown) instead of \(wanted)") }
  }

  private func changeRequest() throws {
    let (from, before, former) = (position, shown, plain)
    var other = feed.requests.liveRequest(feed.reference.state)
    // Usually a narrower or differently sorted list of the same entity.
    if random.isTrue(percent: 70) {
      for _ in 0..<20 where other.request.entity != plain.request.entity {
        other = feed.requests.liveRequest(feed.reference.state)
      }
    }
    let wasHeld = results.isOrderFrozen
    let change = try results.change(to: other.request)
    plain = other
    shown = feed.result(plain, at: feed.head)
    guard change.from.number == from, change.to.number == feed.head, position == feed.head,
      !results.isOrderFrozen
    else { throw Mismatch("the request changed from \(change.from) to \(change.to)") }
    if change.isReset {
      guard hasModel(from: from, to: feed.head) else { throw Mismatch("a reset without a change of the model") }
      return
    }
    let applied = try before.applying(change.difference)
    guard applied == shown else { throw Mismatch("the new request gives \(shown), applied it is \(applied)") }
    guard !wasHeld, feed.canAnswer(at: from) else { return }
    try checkStates(change, former, from: from)
  }

  /// Checks the rows in both results after a change of the request.
  ///
  /// A changed row is reported; an unchanged row may only move.
  private func checkStates(_ change: ResultsChange, _ former: PlainRequest, from: UInt64) throws {
    let (old, new) = (feed.plain(former, at: from), feed.plain(former, at: feed.head))
    let told = Dictionary(uniqueKeysWithValues: change.difference.rows.map { ($0.id, $0) })
    for id in Set(old.window.map(\.id)).intersection(shown.sections.flatMap(\.rows)) {
      let isSame = old.rows[id]!.isEqual(new.rows[id])
      if case .update? = told[id], isSame { throw Mismatch("\(id) is an update, but did not change") }
      if told[id] == nil, !isSame { throw Mismatch("\(id) changed while the request did, and is not told of") }
    }
  }
}

/// Reads rows in every way.
extension LiveFollower {
  private func checkReads() throws {
    let wanted = shown
    let flat = wanted.sections.flatMap(\.rows)
    func require(_ isRight: Bool, _ name: String) throws {
      guard isRight else { throw Mismatch("\(name) is wrong at \(position); the ids should be \(wanted)") }
    }
    try require(results.ids == wanted, "ids")
    try require(results.count == flat.count, "count")
    let sections = try results.sections
    try require(
      sections.count == wanted.sections.count
        && zip(sections, wanted.sections).allSatisfy {
          $0.name.utf8.elementsEqual($1.name.utf8) && $0.count == $1.rows.count
        }, "sections")
    let fetched = try results.fetched()
    try require(fetched.position.number == position && fetched.ids == wanted, "fetched()")
    for object in fetched.rows { try check(object) }
    try require(results.rows(in: 0..<(.max)).map(\.id) == flat, "objects(in:)")
    let start = 3 * random.number(0...(flat.count / 3 + 1))
    try require(results.rows(in: start..<(start + 3)).map(\.id) == Array(flat.dropFirst(start).prefix(3)), "page")
    for (section, rows) in wanted.sections.enumerated() {
      for (row, id) in rows.rows.enumerated() where random.isTrue(percent: 40) {
        let path = RowPath(section: section, row: row)
        try require(results.id(at: path) == id && results.path(of: id) == path, "path")
        try check(results.row(at: path))
      }
      try require(results.id(at: RowPath(section: section, row: rows.rows.count)) == nil, "id(at:)")
    }
    try require(results.id(at: RowPath(section: wanted.sections.count, row: 0)) == nil, "id(at:)")
    let others = feed.reference.state.known.keys.sorted().filter { !flat.contains($0) }
    if !others.isEmpty { try require(results.path(of: random.pick(others)) == nil, "path of another") }
  }

  /// Compares an object with the reference at the visible position.
  private func check(_ object: StoredObject) throws {
    let state = feed.states[Int(position) - 1]
    for value in object.values {
      let wanted = state.value(value.name, of: object.id)
      guard value.value == wanted else {
        throw Mismatch("\(value.name) of \(object.id) is \(value.value) at \(position) instead of \(wanted)")
      }
    }
    guard object.changedAt == state.objects[object.id]?.changedAt else {
      throw Mismatch("the time of \(object.id) is \(object.changedAt) at \(position)")
    }
  }
}
