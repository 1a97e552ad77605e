import DaybookModel

/// Those who follow a request, and what they need not look at.
final class Followers: Sendable {
  private struct State {
    var wakeups: [ObjectIdentifier: Wakeup] = [:]
    var spans: TouchedSpans
  }

  private let state: Locked<State>

  /// - Parameter position: From where on all commits that touch the request are noted.
  init(from position: Position) {
    state = Locked(State(spans: TouchedSpans(from: position)))
  }

  var isEmpty: Bool { state.withLock { $0.wakeups.isEmpty } }

  /// How many spans are remembered for them.
  var spanCount: Int { state.withLock { $0.spans.count } }

  func add(_ wakeup: Wakeup) {
    state.withLock { $0.wakeups[ObjectIdentifier(wakeup)] = wakeup }
  }

  func remove(_ wakeup: Wakeup) {
    state.withLock { $0.wakeups[ObjectIdentifier(wakeup)] = nil }
  }

  /// Notes that commits may have touched the request, and wakes all.
  func note(from: Position, to: Position) {
    state.withLock { $0.spans.note(from: from, to: to) }
    wake()
  }

  func wake() {
    for follower in state.withLock({ Array($0.wakeups.values) }) { follower.raise() }
  }

  /// The last position to which nothing has changed since another one.
  func unchanged(since position: Position, seen: Position) -> Position {
    state.withLock { $0.spans.unchanged(since: position, seen: seen) }
  }
}
