import DaybookModel
import DaybookQuery
import DaybookRuntime

/// One loop's place in the changes of a request.
final class ChangeSource: FeedSource {
  let wakeup: Wakeup
  private let store: Store
  private let request: FetchRequest
  private var live: LiveRequest?
  private var cursor: ChangeCursor
  /// The end of the last delivered change, or the start position before the first one.
  ///
  /// The next change is reported from here, even if later commits without effect on the result were processed since.
  private var given: Position

  init(_ store: Store, _ request: FetchRequest, from start: Position, everyCommit isStepwise: Bool) {
    self.store = store
    wakeup = Wakeup(measuring: store.opened.metrics.feedLag)
    self.request = request
    cursor = ChangeCursor(at: start, stepwise: isStepwise)
    given = start
  }

  deinit {
    if let live { store.notifier.unfollow(live, wakeup) }
  }

  var position: Position { cursor.position }

  /// Returns the next difference that is not empty, or `nil` if there is none yet.
  func poll() throws -> ResultsChange? {
    let live = try self.live ?? store.notifier.follow(request, wakeup)
    self.live = live
    wakeup.reset()
    guard let change = try cursor.next(in: live, reportedFrom: given) else { return nil }
    defer { given = change.to }
    return change.reported(from: given)
  }
}
