import DaybookModel

/// What one stream waits for: news, the time to send something, or its end.
final class StreamSignal: Sendable {
  enum Reason: Sendable {
    case news
    case time
    case end
  }

  private struct State {
    var hasNews = false
    var hasEnded = false
    var deadline: ContinuousClock.Instant?
    var waiting: CheckedContinuation<Reason, Never>?
  }

  private let state = Locked(State())

  /// Waits until there is news, the deadline has passed (see ``tick(_:)``), or the stream ends.
  ///
  /// Only one task waits at a time.
  func wait(until deadline: ContinuousClock.Instant) async -> Reason {
    await withCheckedContinuation { continuation in
      let reason: Reason? = state.withLock { state in
        if state.hasEnded { return .end }
        if state.hasNews {
          state.hasNews = false
          return .news
        }
        (state.waiting, state.deadline) = (continuation, deadline)
        return nil
      }
      if let reason { continuation.resume(returning: reason) }
    }
  }

  /// Wakes the stream because there may be something to send.
  func noteNews() {
    let waiting = state.withLock { state in
      state.hasNews = state.waiting == nil
      return state.waiting.take()
    }
    waiting?.resume(returning: .news)
  }

  /// Wakes the stream if its deadline has passed.
  func tick(_ now: ContinuousClock.Instant) {
    let waiting = state.withLock { state in
      state.deadline.map { $0 <= now } ?? false ? state.waiting.take() : nil
    }
    waiting?.resume(returning: .time)
  }

  /// Ends the stream: every wait, also a later one, returns at once.
  func end() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      return state.waiting.take()
    }
    waiting?.resume(returning: .end)
  }
}
