import DaybookModel

/// A flag that tasks wait for and others raise.
final class Wakeup: Sendable {
  private struct State {
    var isRaised = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Locked(State())
  private let onRaise: (@Sendable () -> Void)?

  /// - Parameter onRaise: Called each time that the flag is raised, for a thread that waits in another way; must not wait
  ///   itself.
  init(onRaise: (@Sendable () -> Void)? = nil) {
    self.onRaise = onRaise
  }

  /// Whether a task waits.
  var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

  /// Wakes the tasks that wait, or the next one that does.
  func raise() {
    let waiters = state.withLock { state in
      state.isRaised = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
    onRaise?()
  }

  /// Takes the flag down, before the caller polls: what happens afterwards raises it again.
  func lower() {
    state.withLock { $0.isRaised = false }
  }

  /// Polls again and again, each time that the flag was raised in between, until there is a result.
  ///
  /// Before each call the task gives way once: a loop that always finds something would keep others from its actor. Where
  /// several tasks wait, a result wakes the others, which may find the next one.
  ///
  /// - Parameters:
  ///   - isolation: Where `poll` runs: where the caller does.
  ///   - poll: Takes the flag down and returns what there is; `nil` if there is nothing yet.
  /// - Returns: What `poll` found; `nil` when the task is cancelled.
  func next<Result>(
    isolation: isolated (any Actor)? = #isolation, _ poll: () throws -> Result?
  ) async rethrows -> Result? {
    await Task.yield()
    while !Task.isCancelled {
      if let result = try poll() {
        for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
        return result
      }
      await wait()
    }
    return nil
  }

  /// Returns when the flag is up, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isRaised || Task.isCancelled { return true }
          state.waiters.append(continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
