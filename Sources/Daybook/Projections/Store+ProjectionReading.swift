import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Reads the rows of a projection.
  ///
  /// An inline projection that this process knows is at the head: commits of processes that do not know it are applied
  /// first. Other projections are at their checkpoint, see ``wait(for:in:)``; only rows that do not exist, or were made
  /// by another version of the code, are built first.
  ///
  /// - Parameters:
  ///   - projection: The projection's name. A projection that this process does not know can be read too.
  ///   - body: Reads the rows.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws; `StoreError`: `notFound` if the store has no such projection, `newerFormat` if the
  ///   store has a later version than this process knows, `busy` if rows must be built and others write for longer than
  ///   ``StoreOptions/readerLockTimeLimit``.
  public func read<Result>(
    projection: String, _ body: (borrowing ProjectionReader) throws -> Result
  ) throws -> Result {
    try checkOpen()
    do {
      if let known = keeper.knownProjection(projection), try !keeper.isReadable(known) {
        try keeper.run(known, .current, waitingAtMost: options.readerLockTimeLimit)
      }
    } catch {
      throw StoreError.translating(error)
    }
    return try keeper.readRows(of: projection) { _, live, rows in try body(ProjectionReader(rows, live)) }
  }

  /// Reads the rows of a catch-up projection of this process at the head, without waiting for a writer.
  ///
  /// The commits that the rows lack are applied to them first if the lock is free, and else in memory; where there are no
  /// rows yet, they are then made in temporary files.
  ///
  /// - Parameter progress: Called after each transaction that applies commits.
  /// - Throws: What `body` and `progress` throw; `StoreError`: `notFound` if this process does not know the projection,
  ///   `projectionStopped`.
  package func readAtHead<Result>(
    projection name: String, progress: ((Progress) throws -> Void)? = nil,
    _ body: (borrowing ProjectionReader) throws -> Result
  ) throws -> Result {
    try checkOpen()
    guard let projection = keeper.knownProjection(name) else { throw StoreError(unknownProjection: name) }
    do {
      try catchUp(projection, progress)
    } catch let error where StoreError.isOfBusyWriter(error) {
      do {
        return try keeper.healing {
          try keeper.readRowsAtHead(of: projection, progress) { live, rows in try body(ProjectionReader(rows, live)) }
        }
      } catch {
        throw StoreError.translating(error)
      }
    } catch {
      throw StoreError.translating(error)
    }
    return try keeper.readRows(of: name) { _, live, rows in
      if let stop = live.stop { throw StoreError(stop, of: name) }
      return try body(ProjectionReader(rows, live))
    }
  }

  /// Applies what a projection lacks if the lock is free.
  private func catchUp(_ projection: any Projection, _ progress: ((Progress) throws -> Void)?) throws {
    // Beginning a step takes the lock, even if there is nothing to apply.
    guard try keeper.hasWork(projection) else { return }
    try keeper.run(projection, .current, waitingAtMost: .zero) { outcome in
      try progress?(
        Progress(
          activity: "catching up with \(projection.name)", completed: outcome.checkpoint.number,
          total: outcome.target.number, unit: "commits"))
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
  ///   `closed`, `newerFormat` if the store has a later version than this process knows, `busy` if others write for
  ///   longer than ``StoreOptions/readerLockTimeLimit``.
  public func wait(for position: Position, in name: String) async throws {
    let wakeup = Wakeup()
    try notifier.followProjections(wakeup)
    defer { notifier.unfollowProjections(wakeup) }
    while true {
      wakeup.reset()
      try Task.checkCancellation()
      if try hasTakenIn(position, name) { return }
      await wakeup.wait()
    }
  }

  private func hasTakenIn(_ position: Position, _ name: String) throws -> Bool {
    try checkOpen()
    do {
      if let projection = keeper.knownProjection(name), try keeper.hasWork(projection) {
        try keeper.run(projection, .current, waitingAtMost: options.readerLockTimeLimit)
      }
      let live = try keeper.healing { try keeper.withProjections { try $0.record(of: name).live } }
      if let stop = live?.stop, stop.address.position <= position { throw StoreError(stop, of: name) }
      return live.map { $0.checkpoint.position >= position } ?? false
    } catch {
      throw StoreError.translating(error)
    }
  }
}
