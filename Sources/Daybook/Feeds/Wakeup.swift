import DaybookModel

/// A flag for which tasks wait and which other tasks and threads raise.
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

  /// - Parameter onRaise: Called each time the flag is raised, for a thread that waits in another way; it must not
  ///   block.
  init(onRaise: (@Sendable () -> Void)? = nil) {
    self.onRaise = onRaise
  }

  /// Whether a task is waiting.
  var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

  /// Raises the flag and wakes the waiting tasks, or the next task that would wait.
  func raise() {
    let waiters = state.withLock { state in
      state.isRaised = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
    onRaise?()
  }

  /// Lowers the flag.
  ///
  /// The caller does so before it polls, so that any later event raises it again.
  func lower() {
    state.withLock { $0.isRaised = false }
  }

  /// Polls until there is a result: once at the start, and each time the flag was raised.
  ///
  /// The task yields once before it polls: a loop that always finds a result would keep other tasks from its actor. If
  /// several tasks wait, a result wakes the others, which may find the next result.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, on which `poll` runs.
  ///   - poll: Lowers the flag and returns a result, or `nil` if there is none yet.
  /// - Returns: The result of `poll`, or `nil` if the task is cancelled.
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

  /// Waits until the flag is raised or the task is cancelled.
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
