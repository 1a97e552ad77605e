import DaybookModel
import Foundation

/// A thread of a store, which performs a step after each signal and sleeps in between.
///
/// The thread starts with the first call of ``start(_:)`` and ends at the latest when the worker is closed.
final class Worker: Sendable {
  private struct State {
    var thread: Thread?
    var isClosed = false
  }

  /// Wakes the thread for another step.
  ///
  /// A step may itself reset it and wait for it.
  let wakeup = Wakeup()
  private let name: String
  private let quality: QualityOfService
  private let state = Locked(State())
  /// Set while there is no thread.
  private let ended = Wakeup()

  init(_ name: String, quality: QualityOfService = .default) {
    (self.name, self.quality) = (name, quality)
  }

  /// Starts the thread if it does not run, and wakes it. Does nothing after ``close()``.
  ///
  /// - Parameter step: Processes all news since the last step, and returns whether the thread stays for the next one. A
  ///   thread that is there already keeps its own step. While the worker is closed, one more step is performed.
  func start(_ step: @escaping @Sendable () -> Bool) {
    state.withLock { state in
      guard !state.isClosed else { return }
      wakeup.signal()
      guard state.thread == nil else { return }
      ended.reset()
      let thread = Thread { self.run(step) }
      thread.name = name
      thread.qualityOfService = quality
      state.thread = thread
      thread.start()
    }
  }

  /// Whether ``close()`` was called. A long step ends early then.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Ends the thread after one more step, and waits for the end.
  ///
  /// On the worker's own thread it returns at once: code of the caller may close the store within a step.
  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
    waitUntilEnded()
  }

  /// Waits until there is no thread; returns at once on the worker's own thread.
  func waitUntilEnded() {
    while state.withLock({ $0.thread != nil && $0.thread !== Thread.current }) { ended.block() }
  }

  private func run(_ step: () -> Bool) {
    var isLast: Bool
    var stays: Bool
    repeat {
      // The last step may have reset the signal of a close.
      if !isClosed { wakeup.block() }
      wakeup.reset()
      // What was queued before the close is processed by the step after it.
      isLast = isClosed
      stays = step()
    } while !ends(isLast: isLast, stays: stays)
  }

  /// Returns whether the thread ends, and records that.
  private func ends(isLast: Bool, stays: Bool) -> Bool {
    state.withLock { state in
      guard isLast || (!stays && !wakeup.isSet) else { return false }
      state.thread = nil
      ended.signal()
      return true
    }
  }
}
