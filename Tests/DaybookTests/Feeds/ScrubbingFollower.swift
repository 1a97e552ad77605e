import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// Live results of a random request that move through the past.
final class ScrubbingFollower {
  let plain: PlainRequest
  private let feed: FeedRun
  private let results: LiveResults<StoredObject>
  private var random: SeededRandom
  private var shown: SectionedIDs<ObjectID>

  init(_ plain: PlainRequest, of feed: FeedRun, random: SeededRandom) throws {
    (self.plain, self.feed, self.random) = (plain, feed, random)
    results = try feed.store.liveResults(of: plain.request)
    shown = feed.result(plain, at: feed.head)
  }

  /// Moves to another position, usually a near one.
  func step() throws {
    let from = results.position.number
    let first = Int(feed.modelPositions.last!)
    let range = first...Int(feed.head)
    let near = Int(from) + random.number(-6...6)
    let wanted = random.isTrue(percent: 70) ? min(max(near, range.lowerBound), range.upperBound) : random.number(range)
    let target = random.isTrue(percent: 10) ? nil : Position(UInt64(wanted))
    if random.isTrue(percent: 10), results.isPinned {
      guard try results.update() == nil else { throw Mismatch("it moves by itself") }
    }
    let isFromAnotherModel = from < first
    let change = try results.move(to: target)
    let to = target?.number ?? feed.head
    guard results.position.number == to, results.isPinned == (target != nil) else {
      throw Mismatch("it is at \(results.position) instead of \(to)")
    }
    if let change {
      guard change.from.number == from, change.to.number == to else { throw Mismatch("wrong positions: \(change)") }
      if change.isReset {
        guard isFromAnotherModel else { throw Mismatch("a reset without a change of the model") }
        shown = feed.result(plain, at: to)
      } else {
        shown = try shown.applying(change.difference)
      }
    }
    let expected = feed.result(plain, at: to)
    guard shown == expected else {
      throw Mismatch("from \(from) to \(to) the differences give \(shown), not \(expected)")
    }
    guard try results.ids == shown else { throw Mismatch("at \(to) it reads \(try results.ids) instead of \(shown)") }
    if !isFromAnotherModel, change?.isReset != true { try checkRules(change, from: from, to: to) }
    try checkObjects(at: to)
  }

  private func checkRules(_ change: ResultsChange?, from: UInt64, to: UInt64) throws {
    let nothing = ResultsChange(
      from: Position(from), to: Position(to), difference: Difference(sections: [], rows: []))
    let change = change ?? nothing
    if from <= to { return try feed.checkDifference(plain, change, from: from, to: to) }
    let back = change.inverted
    try feed.checkDifference(plain, back, from: to, to: from)
  }

  private func checkObjects(at position: UInt64) throws {
    let state = feed.states[Int(position) - 1]
    for object in try results.rows(in: 0..<3) {
      for value in object.values where value.value != state.value(value.name, of: object.id) {
        throw Mismatch("\(value.name) of \(object.id) is \(value.value) at \(position)")
      }
    }
  }
}
