import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension StoreProjection {
  /// Returns the size of the changes of derived entities that the projection keeps, in bytes of pages.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  package func changesSizeInBytes() throws -> Int {
    try store.checkOpen()
    do {
      return try store.keeper.healing { try store.keeper.changesSizeInBytes(of: name) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Reads the derived entities of a projection of this process, without waiting for a writer.
  ///
  /// The commits that the rows lack are applied first if the lock is free; else the rows are at their checkpoint. Rows that
  /// the store lacks are then made in temporary files.
  ///
  /// - Parameters:
  ///   - progress: Called after each transaction that applies commits.
  ///   - body: Reads the entities by requests, whose results are all of one position.
  /// - Throws: What `body` and `progress` throw; `StoreError`: `notFound` if this process does not know the projection,
  ///   `projectionStopped`.
  package func readAtHead<Result>(
    progress: ((StoreProgress) throws -> Void)? = nil,
    _ body: (_ fetch: (FetchRequest) throws -> Results<StoredObject>) throws -> Result
  ) throws -> Result {
    try store.checkOpen()
    guard let projection = store.keeper.knownProjection(name) else { throw StoreError(unknownProjection: name) }
    if let result = try readAfterCatchingUp(projection, progress, body) { return result }
    // The rows were damaged, and the read discarded them with the projections' file.
    if let result = try readAfterCatchingUp(projection, progress, body) { return result }
    throw StoreError(
      .busy, "The rows of the projection \(name) were replaced while they were read.", advice: "Try again.")
  }

  /// - Returns: What `body` returned, or `nil` if the store lost the rows meanwhile.
  private func readAfterCatchingUp<Result>(
    _ projection: any Projection, _ progress: ((StoreProgress) throws -> Void)?,
    _ body: (_ fetch: (FetchRequest) throws -> Results<StoredObject>) throws -> Result
  ) throws -> Result? {
    do {
      try catchUpIfFree(projection, progress)
    } catch let error where StoreError.isOfBusyWriter(error) {
      let made = try store.keeper.healing {
        try store.keeper.readTemporaryRows(of: projection, progress) { rows in try body { try rows.fetch($0) } }
      }
      if let made { return made }
    } catch {
      throw StoreError.translating(error)
    }
    return try store.read { reader in
      guard let live = try store.keeper.projections(of: reader).record(of: name).live,
        live.checkpoint.position > .empty
      else { return nil }
      if let stop = live.stop { throw StoreError(stop, of: name) }
      return try body { try reader.fetch($0) }
    }
  }

  /// Applies what a projection lacks if the lock is free.
  private func catchUpIfFree(_ projection: any Projection, _ progress: ((StoreProgress) throws -> Void)?) throws {
    // Beginning a step takes the lock, even if there is nothing to apply.
    guard try store.keeper.hasWork(projection) else { return }
    try store.keeper.run(projection, .current, waitingAtMost: .zero) { outcome in
      try progress?(
        StoreProgress(
          activity: "catching up with \(projection.name)", completed: outcome.checkpoint.number,
          total: outcome.target.number, unit: "commits"))
    }
  }
}
