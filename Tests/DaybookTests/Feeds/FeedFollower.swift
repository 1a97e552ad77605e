import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A reader of a request's differences, beginning at an earlier position.
final class FeedFollower: RequestFollower {
  let plain: PlainRequest
  private let feed: FeedRun
  private let reader: any FeedSource<ResultsChange>
  private let isStepwise: Bool
  private var random: SeededRandom
  /// The reader's position, and the result of its differences.
  private var position: UInt64
  /// The end of the last change.
  private var given: UInt64
  private var shown: SectionedIDs<ObjectID>

  var isAnswered: Bool { feed.isAnswered(plain) }

  init(_ plain: PlainRequest, of feed: FeedRun, random: inout SeededRandom) {
    (self.plain, self.feed) = (plain, feed)
    isStepwise = random.isTrue(percent: 50)
    position = random.isTrue(percent: 50) ? feed.head : UInt64(random.number(0...Int(feed.head)))
    if position < feed.modelPositions.last!, position > 0 { position = feed.modelPositions.last! }
    given = position
    self.random = SeededRandom(seed: random.next())
    shown = feed.result(plain, at: position)
    reader = feed.store.changes(
      of: plain.request, from: Position(position), granularity: isStepwise ? .everyCommit : .coalesced
    ).makeSource()
  }

  func step() throws {
    repeat {
      let change = try reader.poll()
      let end = reader.position.number
      do {
        if let change { try check(change) } else if end != feed.head { throw Mismatch("it stops at \(end)") }
        let to = change?.to.number ?? end
        guard to >= position, end >= to else { throw Mismatch("it goes back to \(end)") }
        position = to
      } catch {
        let text = change.map { "\($0)" } ?? "nothing"
        throw Mismatch("\(error)\nstepwise \(isStepwise), at \(position): \(text)")
      }
      if change == nil {
        let wanted = feed.result(plain, at: position)
        guard shown == wanted else { throw Mismatch("a change was missed: it is \(shown) instead of \(wanted)") }
        return
      }
    } while random.isTrue(percent: 70)
  }

  private func check(_ change: ResultsChange) throws {
    let (from, to) = (change.from.number, change.to.number)
    guard from == given else { throw Mismatch("it does not begin where the last change ended, at \(given)") }
    try feed.checkCauses(plain, change)
    given = to
    if change.isReset {
      guard feed.modelPositions.contains(where: { $0 > max(1, from) && $0 <= to }) else {
        throw Mismatch("a reset without a change of the model")
      }
      shown = feed.result(plain, at: to)
      return
    }
    shown = try shown.applying(change.difference)
    guard feed.isNamed(plain, at: to) else { return }
    let wanted = feed.result(plain, at: to)
    guard shown == wanted else { throw Mismatch("it is \(shown) instead of \(wanted)") }
    let isWithinModel = feed.canAnswer(at: from)
    guard isWithinModel else { return }
    if isStepwise {
      for step in position..<to - 1 { try checkNothing(from: step, to: step + 1) }
      try feed.checkDifference(plain, change, from: from, to: to)
    } else {
      try feed.checkDifference(plain, change, from: from, to: to)
    }
  }

  private func checkNothing(from: UInt64, to: UInt64) throws {
    let nothing = ResultsChange(
      from: Position(from), to: Position(to), difference: Difference(sections: [], rows: []))
    do {
      try feed.checkDifference(plain, nothing, from: from, to: to)
    } catch {
      throw Mismatch("the change from \(from) to \(to) was missed: \(error)")
    }
  }
}
