import CoreMetrics
import LMDB

/// A flag that tasks and threads wait for: the one way in which a part of a store waits for another part.
///
/// A consumer resets the flag, examines the store, and waits if it finds nothing. A signal after the reset ends the wait
/// at once, so no news is lost.
package final class Wakeup: @unchecked Sendable {
  /// Protects the members below, and wakes the blocked threads.
  ///
  /// No other lock is taken while it is held.
  private let monitor = Monitor()
  private var isSignaled = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// The time of the first signal since the reset, and of the first one before it, for the lag.
  private var news: ContinuousClock.Instant?
  private var examined: ContinuousClock.Instant?
  /// Measures the time from a signal to the result that was found after it; `nil` where nothing is delivered.
  private let lag: CoreMetrics.Timer?

  /// - Parameter lag: Measures the time from a signal to the result that a consumer found after it.
  package init(measuring lag: CoreMetrics.Timer? = nil) {
    self.lag = lag
  }

  /// Whether a task is waiting.
  var isAwaited: Bool { monitor.withLock { !waiters.isEmpty } }

  /// Sets the flag, and wakes all waiting tasks and threads, or the next one that would wait.
  package func signal() {
    let waiters = monitor.withLock {
      isSignaled = true
      if lag != nil, news == nil { news = .now }
      monitor.wakeAll()
      return takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Clears the flag.
  ///
  /// The caller does so before it examines the store, so that any later event sets it again.
  package func reset() {
    monitor.withLock {
      isSignaled = false
      (examined, news) = (news, nil)
    }
  }

  /// Takes note that the consumer has a result of what it examined after the last reset.
  package func noteDelivery() {
    guard let lag else { return }
    let start = monitor.withLock {
      defer { examined = nil }
      return examined
    }
    if let start { lag.record(.now - start) }
  }

  /// Whether the flag is set.
  var isSet: Bool { monitor.withLock { isSignaled } }

  /// The waiting tasks, which the caller resumes. The caller holds the lock.
  private func takeWaiters() -> [CheckedContinuation<Void, Never>] {
    defer { waiters = [] }
    return waiters
  }

  /// Polls until there is a result: once at the start, and each time the flag was set.
  ///
  /// The task yields once before it polls: a loop that always finds a result would keep other tasks from its actor. If
  /// several tasks wait, a result wakes the others, which may find the next result.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, on which `poll` runs.
  ///   - poll: Resets the flag and returns a result, or `nil` if none is available yet.
  /// - Returns: The result of `poll`, or `nil` if the task is cancelled.
  package func next<Result>(
    isolation: isolated (any Actor)? = #isolation, _ poll: () throws -> Result?
  ) async rethrows -> Result? {
    await Task.yield()
    while !Task.isCancelled {
      if let result = try poll() {
        noteDelivery()
        for waiter in monitor.withLock({ takeWaiters() }) { waiter.resume() }
        return result
      }
      await wait()
    }
    return nil
  }

  /// Waits until the flag is set or the task is cancelled.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = monitor.withLock {
          if isSignaled || Task.isCancelled { return true }
          waiters.append(continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      signal()
    }
  }

  /// Blocks the thread until the flag is set.
  func block() {
    monitor.withLock {
      while !isSignaled { monitor.wait() }
    }
  }

  /// Blocks the thread until the flag is set or the time is over.
  ///
  /// - Returns: Whether the flag is set.
  func block(atMost time: Duration) -> Bool {
    monitor.withLock { monitor.wait(atMost: time) { isSignaled } }
  }
}
