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
    try store.feeds.followProjections(wakeup, of: store)
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

extension Store {
  /// Returns whether a step would do anything for a projection, without writing.
  func hasWork(_ projection: any Projection) throws -> Bool {
    try checkOpen()
    return try healing {
      try withSnapshots { projections, journal in
        guard let live = try projections.record(of: projection.name).live,
          live.version == UInt64(projection.version), !live.lacksKnownEvents
        else { return true }
        if let stop = live.stop {
          return try journal.presentLedger(of: projection.name).skips(stop.address, version: live.version)
        }
        return try live.hasRetries || live.checkpoint != journal.head()
      }
    }
  }

  /// Waits until a projection has applied a commit, so that a caller can read its own writes.
  ///
  ///     let position = try await store.head()
  ///     try await store.wait(for: position, in: "renames")
  ///
  /// A process that knows the projection applies missing commits itself, rather than wait for the worker's thread. For
  /// any other projection the call waits without a time limit, and sleeps until something has changed in the store.
  ///
  /// - Parameters:
  ///   - position: The position of a commit, which may be made later.
  ///   - name: The projection.
  /// - Throws: `CancellationError`; `StoreError`: `projectionStopped` if it has stopped at or before that commit,
  ///   `closed`, `newerFormat` if the store has a later version than this process knows.
  public func wait(for position: Position, in name: String) async throws {
    let wakeup = Wakeup()
    try feeds.followProjections(wakeup, of: self)
    defer { feeds.unfollowProjections(wakeup) }
    while true {
      wakeup.lower()
      try Task.checkCancellation()
      if try hasTakenIn(position, name) { return }
      await wakeup.wait()
    }
  }

  private func hasTakenIn(_ position: Position, _ name: String) throws -> Bool {
    try checkOpen()
    do {
      if let projection = knownProjection(name), try hasWork(projection) { try run(projection, .current) }
      let live = try healing { try withProjections { try $0.record(of: name).live } }
      if let stop = live?.stop, stop.address.position <= position { throw StoreError(stop, of: name) }
      return live.map { $0.checkpoint >= position } ?? false
    } catch {
      throw StoreError.translating(error)
    }
  }
}
