import DaybookModel
import DaybookQuery
import DaybookRuntime

/// One loop's place in the values of a measure.
final class ValueSource: FeedSource {
  let wakeup: Wakeup
  private let store: Store
  private let measure: Measure
  private let request: FetchRequest
  private var tally: Tally?

  init(_ store: Store, _ measure: Measure, of request: FetchRequest) {
    (self.store, self.measure, self.request) = (store, measure, request)
    wakeup = Wakeup(measuring: store.opened.metrics.feedLag)
  }

  var position: Position { tally?.value.position ?? .empty }

  /// Returns the present value at first, and then the next one that differs from the last.
  func poll() throws -> LiveValue? {
    guard let tally else {
      let tally = try Tally(measure, of: request, in: store, wakeup: wakeup)
      self.tally = tally
      return tally.value
    }
    let last = tally.value.value
    while try tally.update() {
      if tally.value.value != last { return tally.value }
    }
    return nil
  }
}
