import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A reader of several random requests in lock-step, beginning at an earlier position.
///
/// After each step, every result and every value is compared with the reference's state of the step's end.
final class JointFollower {
  private enum Part {
    case rows(PlainRequest, shown: SectionedIDs<ObjectID>)
    case value(PlainMeasure, shown: Value?)
  }

  private let feed: FeedRun
  private let isStepwise: Bool
  private let joint: JointResults
  private var parts: [Part]
  private var given: UInt64
  private var isFirst = true
  private var random: SeededRandom

  /// Whether the model has all that is followed, any of which it may lose.
  var isAnswered: Bool {
    parts.allSatisfy { part in
      switch part {
      case .rows(let plain, _): feed.isAnswered(plain)
      case .value(let measured, _): measured.isAnswered(in: feed)
      }
    }
  }

  init(of feed: FeedRun, random: inout SeededRandom) throws {
    self.feed = feed
    isStepwise = random.isTrue(percent: 50)
    var start = random.isTrue(percent: 40) ? feed.head : UInt64(random.number(0...Int(feed.head)))
    if start < feed.modelPositions.last!, start > 0 { start = feed.modelPositions.last! }
    given = start
    parts = []
    for _ in 0..<random.number(1...6) {
      let plain = feed.requests.liveRequest(feed.reference.state)
      let isValue = random.isTrue(percent: 40)
      parts.append(
        isValue
          ? .value(try PlainMeasure(plain, of: feed, random: &random), shown: nil)
          : .rows(plain, shown: feed.result(plain, at: start)))
    }
    self.random = SeededRandom(seed: random.next())
    let requests = parts.map { part -> JointRequest in
      switch part {
      case .rows(let plain, _): .rows(of: plain.request)
      case .value(let measured, _): .value(of: measured.measure)
      }
    }
    joint = try feed.store.jointResults(
      of: requests, from: FeedCursor(Position(start)), granularity: isStepwise ? .everyCommit : .coalesced)
  }

  func step() throws {
    repeat {
      guard let step = try joint.update() else {
        guard joint.position.number == feed.head else { throw Mismatch("it stops at \(joint.position)") }
        return try check(at: feed.head)
      }
      do {
        try take(step)
      } catch {
        throw Mismatch("\(error)\nstepwise \(isStepwise): \(step)")
      }
    } while random.isTrue(percent: 70)
  }

  private func take(_ step: JointChange) throws {
    let (from, to) = (step.from.number, step.to.number)
    guard from == given, joint.position == step.to else { throw Mismatch("it begins at \(from) instead of \(given)") }
    guard step.parts.count == parts.count, step.parts.contains(where: { $0 != nil }) else {
      throw Mismatch("the parts are not those of the requests")
    }
    let hasReset = step.parts.contains { if case .rows(let change) = $0 { change.isReset } else { false } }
    if hasReset, !feed.modelPositions.contains(where: { $0 > max(1, from) && $0 <= to }) {
      throw Mismatch("a reset without a change of the model")
    }
    for (number, part) in parts.enumerated() { parts[number] = try taking(step.parts[number], of: step, part) }
    given = to
    // The plain requests are evaluated by the present model.
    guard feed.canAnswer(at: to) else { return }
    try check(at: to)
    if isStepwise, !hasReset, feed.canAnswer(at: from), to > from {
      for position in from..<to - 1 where position > from { try check(at: position, before: step) }
    }
  }

  private func taking(_ taken: JointChange.Part?, of step: JointChange, _ part: Part) throws -> Part {
    switch (part, taken) {
    case (_, nil): return part
    case (.rows(let plain, let shown), .rows(let change)):
      guard change.from == step.from, change.to == step.to, !change.isEmpty else { throw Mismatch("wrong positions") }
      try feed.checkCauses(plain, change)
      let next = change.isReset ? feed.result(plain, at: step.to.number) : try shown.applying(change.difference)
      return .rows(plain, shown: next)
    case (.value(let measured, let shown), .value(let value)):
      guard value.position == step.to, value.value != shown else { throw Mismatch("a value that is not new") }
      return .value(measured, shown: value.value)
    default: throw Mismatch("a part of another kind")
    }
  }

  /// Checks that everything shown is the state of a position.
  private func check(at position: UInt64) throws {
    for part in parts {
      switch part {
      case .rows(let plain, let shown):
        let wanted = feed.result(plain, at: position)
        guard shown == wanted else { throw Mismatch("\(plain) at \(position) is \(shown) instead of \(wanted)") }
      case .value(let measured, let shown):
        let wanted = measured.value(at: position, in: feed)
        guard shown == wanted else {
          throw Mismatch("\(measured) at \(position) is \(String(describing: shown)) instead of \(wanted)")
        }
      }
    }
  }

  /// Checks that a commit which a step of every commit passed over changed no row.
  private func check(at position: UInt64, before step: JointChange) throws {
    for part in parts {
      guard case .rows(let plain, _) = part else { continue }
      guard feed.result(plain, at: position) == feed.result(plain, at: step.from.number) else {
        throw Mismatch("the change of \(plain) at \(position) was missed")
      }
    }
  }
}
