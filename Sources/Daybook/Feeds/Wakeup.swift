import DaybookModel

/// A flag that one task waits for and others raise.
final class Wakeup: Sendable {
  private struct State {
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())
  private let onRaise: (@Sendable () -> Void)?

  /// - Parameter onRaise: Called each time that the flag is raised, for who waits in another way; must not wait itself.
  init(onRaise: (@Sendable () -> Void)? = nil) {
    self.onRaise = onRaise
  }

  /// Wakes who waits, or the next one who does.
  func raise() {
    let waiter = state.withLock { state in
      state.isRaised = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
    onRaise?()
  }

  /// Takes the flag down, before one looks for oneself: what happens afterwards raises it again.
  func lower() {
    state.withLock { $0.isRaised = false }
  }

  /// Asks again and again for something, each time that the flag was raised in between, until there is something.
  ///
  /// - Parameters:
  ///   - isolation: Where `poll` runs: where the caller does.
  ///   - poll: Takes the flag down and looks for itself; nil if there is nothing yet.
  /// - Returns: What `poll` found; nil when the task is cancelled.
  func next<Result>(
    isolation: isolated (any Actor)? = #isolation, _ poll: () throws -> Result?
  ) async rethrows -> Result? {
    while !Task.isCancelled {
      if let result = try poll() { return result }
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
          precondition(state.waiter == nil, "One task at a time goes through a feed.")
          state.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
