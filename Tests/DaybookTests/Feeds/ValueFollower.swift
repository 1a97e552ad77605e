import DaybookModel
import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A live value of a random request.
final class ValueFollower: RequestFollower {
  let plain: PlainRequest
  private let measured: PlainMeasure
  private let feed: FeedRun
  private let source: any FeedSource<LiveValue>
  private var present: LiveValue?

  var isAnswered: Bool { measured.isAnswered(in: feed) }

  /// Creates a follower, or returns `nil` if the request has no such value.
  init?(_ plain: PlainRequest, of feed: FeedRun, random: inout SeededRandom) throws {
    measured = try PlainMeasure(plain, of: feed, random: &random)
    (self.plain, self.feed) = (plain, feed)
    source = feed.store.values(of: measured.measure).makeSource()
    present = try source.poll()
    try check()
  }

  func step() throws {
    while let value = try source.poll() {
      guard value.value != present?.value else { throw Mismatch("\(measured.measure) is told twice: \(value)") }
      present = value
    }
    try check()
    let now = try feed.store.value(of: measured.measure)
    guard now.value == present?.value else {
      throw Mismatch("\(measured.measure) is \(now), the standing one \(present as Any)")
    }
  }

  private func check() throws {
    let wanted = measured.value(at: feed.head, in: feed)
    guard present?.value == wanted else {
      throw Mismatch("\(measured.measure) is \(present as Any) instead of \(wanted)")
    }
  }
}
