import Foundation

/// Keeps the catch-up projections of an open store up to date.
///
/// It has one thread, which sleeps until something has changed in the store.
final class ProjectionWorker: @unchecked Sendable {
  /// Protects the members below, and signals that one of them has changed.
  private let condition = NSCondition()
  private var hasNews = true
  private var isClosed = false
  private var thread: Thread?
  private var wakeup: Wakeup?

  /// Starts the thread if the store is to follow any projection.
  func start(_ store: Store) throws {
    guard store.options.followsProjections, store.options.projections.contains(where: { $0.mode == .catchUp })
    else { return }
    let wakeup = Wakeup { [weak self] in self?.noteNews() }
    try store.notifier.followProjections(wakeup, of: store)
    let companion = store.companion
    let thread = Thread {
      while self.waitForNews() { self.catchUp(companion) }
      self.noteEnd()
    }
    thread.name = "daybook projections"
    condition.withLock {
      self.wakeup = wakeup
      self.thread = thread
    }
    thread.start()
  }

  /// Ends the thread; the commits that it has applied stay applied.
  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
      // An effect of a projection may close the store on this thread.
      while let thread, thread !== Thread.current { condition.wait() }
    }
  }

  private func noteNews() {
    condition.withLock {
      hasNews = true
      condition.broadcast()
    }
  }

  private func noteEnd() {
    condition.withLock {
      thread = nil
      condition.broadcast()
    }
  }

  /// - Returns: `false` if the store is closed.
  private func waitForNews() -> Bool {
    condition.withLock {
      while !hasNews, !isClosed { condition.wait() }
      hasNews = false
      return !isClosed
    }
  }

  private func catchUp(_ store: Store) {
    for projection in store.options.projections where projection.mode == .catchUp {
      do {
        guard try store.hasWork(projection) else { continue }
        try store.run(projection, .current) { _ in if isEnding { throw CancellationError() } }
      } catch is CancellationError {
        return
      } catch {
        if isEnding { return }
        // The projection is tried again with the next commit, and from time to time without one. Callers that wait for
        // the projection meet the error too.
        store.options.logger?.warning(
          "a projection is behind", metadata: ["projection": "\(projection.name)", "error": "\(error)"])
      }
    }
  }

  private var isEnding: Bool { condition.withLock { isClosed } }
}
