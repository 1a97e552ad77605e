import DaybookModel
import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A live value of a random request.
final class ValueFollower: RequestFollower {
  let plain: PlainRequest
  private let measured: PlainMeasure
  private let feed: FeedRun
  private let tally: Tally

  var isAnswered: Bool { measured.isAnswered(in: feed) }

  /// Creates a follower, or returns `nil` if the request has no such value.
  init?(_ plain: PlainRequest, of feed: FeedRun, random: inout SeededRandom) throws {
    measured = try PlainMeasure(plain, of: feed, random: &random)
    (self.plain, self.feed) = (plain, feed)
    tally = try Tally(measured.measure, of: plain.request, in: feed.store)
    try check()
  }

  func step() throws {
    while try tally.update() {}
    try check()
    let now = try feed.store.value(measured.measure, of: plain.request)
    guard now.value == tally.value.value else {
      throw Mismatch("\(measured.measure) is \(now), the standing one \(tally.value)")
    }
  }

  private func check() throws {
    let wanted = measured.value(at: feed.head, in: feed)
    guard tally.value.value == wanted else {
      throw Mismatch("\(measured.measure) is \(tally.value) instead of \(wanted)")
    }
  }
}
