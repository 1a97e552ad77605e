import DaybookEngine
import DaybookModel
import LMDB

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
  ///   store has a later version than this process knows.
  public func read<Result>(
    projection: String, _ body: (borrowing ProjectionReader) throws -> Result
  ) throws -> Result {
    try checkOpen()
    do {
      if let known = knownProjection(projection), try !isReadable(known) { try run(known, .current) }
    } catch {
      throw StoreError.translating(error)
    }
    return try readRows(of: projection) { _, live, rows in try body(ProjectionReader(rows, live)) }
  }

  /// Returns whether this process can read a projection's rows without applying commits first.
  private func isReadable(_ projection: any Projection) throws -> Bool {
    try healing {
      try withSnapshots { projections, journal in
        guard let live = try projections.record(of: projection.name).live else { return false }
        guard live.version == UInt64(projection.version), !live.checkpoint.lacksEvents() else { return false }
        guard projection.mode == .inline, live.stop == nil else { return true }
        return try live.checkpoint.position == journal.head()
      }
    }
  }

  /// Reads the live rows of a projection, whatever their checkpoint.
  func readRows<Result>(
    of name: String, _ body: (ProjectionRecord, ProjectionRecord.Instance, ProjectionTable) throws -> Result
  ) throws -> Result {
    try checkOpen()
    do {
      return try healing { try readPresentRows(of: name, body) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func readPresentRows<Result>(
    of name: String, _ body: (ProjectionRecord, ProjectionRecord.Instance, ProjectionTable) throws -> Result
  ) throws -> Result {
    var missing: String?
    while true {
      // A snapshot cannot use a table that is opened after it began.
      let (opened, expected) = try withProjections { ($0.opened, try liveTable(of: name, in: $0)) }
      guard let table = try opened.environment.openTables([expected]).first ?? nil else {
        // The table was replaced meanwhile, or it is missing.
        guard expected != missing else { throw StoreError(missingTable: expected, of: name) }
        missing = expected
        continue
      }
      if let result = try readRowsOnce(of: name, table, body) { return result }
    }
  }

  private func liveTable(of name: String, in projections: ProjectionsSnapshot) throws -> String {
    guard let live = try projections.record(of: name).live else { throw StoreError(missingProjection: name) }
    return ProjectionRecord.tableName(of: name, live)
  }

  /// Reads the rows of a table, or returns `nil` if other rows have replaced them.
  private func readRowsOnce<Result>(
    of name: String, _ table: Table,
    _ body: (ProjectionRecord, ProjectionRecord.Instance, ProjectionTable) throws -> Result
  ) throws -> Result? {
    try withProjections { projections in
      let record = try projections.record(of: name)
      guard let live = record.live, ProjectionRecord.tableName(of: name, live) == table.name else { return nil }
      let result = try body(record, live, ProjectionTable(snapshot: projections.snapshot, table: table))
      if projections.snapshot.hasMetDamage { throw projections.snapshot.damage(.readValue) }
      return result
    }
  }

  /// Returns whether a step would do anything for a projection, without writing.
  func hasWork(_ projection: any Projection) throws -> Bool {
    try checkOpen()
    return try healing {
      try withSnapshots { projections, journal in
        guard let live = try projections.record(of: projection.name).live,
          live.version == UInt64(projection.version), !live.checkpoint.lacksEvents()
        else { return true }
        if let stop = live.stop {
          return try journal.presentLedger(of: projection.name).skips(stop.address, version: live.version)
        }
        return try live.hasRetries || live.checkpoint.position != journal.head()
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
    try notifier.followProjections(wakeup, of: self)
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
      if let projection = knownProjection(name), try hasWork(projection) { try run(projection, .current) }
      let live = try healing { try withProjections { try $0.record(of: name).live } }
      if let stop = live?.stop, stop.address.position <= position { throw StoreError(stop, of: name) }
      return live.map { $0.checkpoint.position >= position } ?? false
    } catch {
      throw StoreError.translating(error)
    }
  }
}
