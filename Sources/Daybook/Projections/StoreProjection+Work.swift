import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreProjection {
  /// Applies the commits that a projection has not applied yet, on this thread.
  ///
  /// When this returns, the projection has applied all commits that any process made before the call.
  ///
  /// - Parameter progress: Called after each transaction with the progress. If it throws, or the task is cancelled, the work
  ///   ends between two transactions, and the next call resumes it.
  /// - Throws: `StoreError`: `notFound` if this process does not know the projection, `projectionStopped` if a commit
  /// stops it, `newerFormat` if the store has a later version of it; `CancellationError`; what `progress` throws.
  /// - Complexity: The projection's own cost for each new commit.
  public func catchUp(progress: ((StoreProgress) throws -> Void)? = nil) throws {
    try work(.current, "catching up with", progress)
  }

  /// Rebuilds the rows of a projection beside the present ones, and then replaces these.
  ///
  ///     try store.projection("activity").rebuild { print($0.completed, $0.total ?? 0) }
  ///
  /// Readers use the old rows until the replacement. A writer waits at times, but no longer than for another commit.
  /// Effects are off. If the rebuild ends early (the task is cancelled, `progress` throws, the process is killed), the
  /// rows built so far are kept, and the next call resumes from there; ``discardRebuild()`` discards them.
  ///
  /// - Parameter progress: Called after each transaction with the progress.
  /// - Throws: As ``catchUp(progress:)``.
  public func rebuild(progress: ((StoreProgress) throws -> Void)? = nil) throws {
    guard let projection = store.keeper.knownProjection(name) else { throw StoreError(unknownProjection: name) }
    do {
      // The live rows are brought up to date first, as the new rows follow their checkpoint and do not overtake it. If
      // the live rows have stopped, the new rows may get further.
      try store.keeper.run(projection, .current)
    } catch {
      throw StoreError.translating(error)
    }
    try work(.rebuilt, "rebuilding", progress)
    try work(.current, "catching up with", nil)
  }

  /// Discards the rows of an unfinished rebuild.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the store has no such projection.
  public func discardRebuild() throws {
    try store.keeper.discardRebuild(of: name)
  }

  private func work(
    _ goal: ProjectionStep.Goal, _ verb: String, _ progress: ((StoreProgress) throws -> Void)?
  ) throws {
    guard let projection = store.keeper.knownProjection(name) else { throw StoreError(unknownProjection: name) }
    do {
      let outcome = try store.keeper.run(projection, goal) { outcome in
        try Task.checkCancellation()
        try progress?(
          StoreProgress(
            activity: "\(verb) \(name)", completed: outcome.checkpoint.number, total: outcome.target.number,
            unit: "commits"))
      }
      if let stop = outcome.stop { throw StoreError(stop, of: name) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Waits until a projection has applied a commit, so that a caller can read its own writes.
  ///  ///     let months = try store.projection("cooked-months")
  ///     try await months.wait(for: store.position)
  ///
  /// A process that knows the projection applies missing commits itself, rather than wait for the worker's thread. For
  /// any other projection the call waits without a time limit, and sleeps until something has changed in the store.
  ///
  /// - Parameter position: The position of a commit, which may be made later.
  /// - Throws: `CancellationError`; `StoreError`: `projectionStopped` if it has stopped at or before that commit,
  ///   `closed`, `newerFormat` if the store has a later version than this process knows, `busy` if others write for
  ///   longer than ``StoreOptions/readerLockTimeLimit``.
  public func wait(for position: Position) async throws {
    let wakeup = Wakeup()
    try store.notifier.followProjections(wakeup)
    defer { store.notifier.unfollowProjections(wakeup) }
    while true {
      wakeup.reset()
      try Task.checkCancellation()
      if try hasTakenIn(position) { return }
      await wakeup.wait()
    }
  }

  private func hasTakenIn(_ position: Position) throws -> Bool {
    try store.checkOpen()
    do {
      if let projection = store.keeper.knownProjection(name), try store.keeper.hasWork(projection) {
        try store.keeper.run(projection, .current, waitingAtMost: store.options.readerLockTimeLimit)
      }
      let live = try store.keeper.healing { try store.keeper.withProjections { try $0.record(of: name).live } }
      if let stop = live?.stop, stop.position <= position { throw StoreError(stop, of: name) }
      return live.map { $0.checkpoint.position >= position } ?? false
    } catch {
      throw StoreError.translating(error)
    }
  }
}
