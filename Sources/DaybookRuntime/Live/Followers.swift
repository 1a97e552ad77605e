import DaybookEngine
import DaybookModel

/// The followers of a request, and the spans of the journal that touched it.
final class Followers: Sendable {
  private struct State {
    var wakeups: [ObjectIdentifier: Wakeup] = [:]
    var spans: AffectedRanges
  }

  private let state: Locked<State>

  /// - Parameter position: The position from which on all commits that touch the request are noted.
  init(from position: Position) {
    state = Locked(State(spans: AffectedRanges(from: position)))
  }

  var isEmpty: Bool { state.withLock { $0.wakeups.isEmpty } }

  /// The number of spans with changes that are kept for the followers.
  var spanCount: Int { state.withLock { $0.spans.count } }

  func add(_ wakeup: Wakeup) {
    state.withLock { $0.wakeups[ObjectIdentifier(wakeup)] = wakeup }
  }

  func remove(_ wakeup: Wakeup) {
    state.withLock { $0.wakeups[ObjectIdentifier(wakeup)] = nil }
  }

  /// Records that a span of commits may have touched the request, and wakes all followers.
  func note(from: Position, to: Position) {
    state.withLock { $0.spans.note(from: from, to: to) }
    wake()
  }

  /// The spans of the journal that touched the request.
  var spans: AffectedRanges { state.withLock { $0.spans } }

  /// Forgets all spans, because rows were replaced by others, and wakes all followers.
  func begin(at position: Position) {
    state.withLock { $0.spans = AffectedRanges(from: position) }
    wake()
  }

  func wake() {
    for follower in state.withLock({ Array($0.wakeups.values) }) { follower.signal() }
  }

  /// Returns the last position up to which nothing has changed since another position.
  func unchanged(since position: Position, seen: Position) -> Position {
    state.withLock { $0.spans.unchanged(since: position, seen: seen) }
  }
}
