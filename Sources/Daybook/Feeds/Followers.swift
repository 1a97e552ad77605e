import DaybookModel
import Foundation

/// Those who follow a request, and what they need not look at.
final class Followers: @unchecked Sendable {
  private struct State {
    var wakeups: [ObjectIdentifier: Wakeup] = [:]
    var spans: TouchedSpans
  }

  /// Protects the state.
  private let lock = NSLock()
  private var state: State

  /// - Parameter position: From where on all commits that touch the request are noted.
  init(from position: Position) {
    state = State(spans: TouchedSpans(from: position))
  }

  var isEmpty: Bool { lock.withLock { state.wakeups.isEmpty } }

  /// How many spans are remembered for them.
  var spanCount: Int { lock.withLock { state.spans.count } }

  func add(_ wakeup: Wakeup) {
    lock.withLock { state.wakeups[ObjectIdentifier(wakeup)] = wakeup }
  }

  func remove(_ wakeup: Wakeup) {
    lock.withLock { state.wakeups[ObjectIdentifier(wakeup)] = nil }
  }

  /// Notes that commits may have touched the request, and wakes all.
  func note(from: Position, to: Position) {
    lock.withLock { state.spans.note(from: from, to: to) }
    wake()
  }

  func wake() {
    for follower in lock.withLock({ Array(state.wakeups.values) }) { follower.raise() }
  }

  /// The last position to which nothing has changed since another one.
  func unchanged(since position: Position, seen: Position) -> Position {
    lock.withLock { state.spans.unchanged(since: position, seen: seen) }
  }
}
