import DaybookEngine
import DaybookModel
import LMDB

extension ProjectionKeeper {
  /// The names of the projections of which the store has rows, and of those that this process knows, sorted.
  package func projectionNames(in snapshot: ProjectionsSnapshot) throws -> [String] {
    Set(try snapshot.opened.recordNames(in: snapshot.snapshot) + files.options.projections.map(\.name)).sorted()
  }

  /// Returns the size of what a projection has changed in its derived entities, in bytes of pages.
  package func changesSizeInBytes(of name: String) throws -> Int {
    let (opened, live) = try withProjections { ($0.opened, try $0.record(of: name).live) }
    guard let changes = live.flatMap({ ProjectionRecord.derivedTableNames(of: name, $0).last }),
      let table = try opened.environment.openTables([changes]).first ?? nil
    else { return 0 }
    return try opened.environment.withSnapshot { try $0.statistics(in: table).sizeInBytes }
  }

  /// Reads the record and the quarantine of a projection, whatever its checkpoint.
  package func readQuarantine<Result>(
    of name: String, _ body: (ProjectionRecord, ProjectionRecord.Instance, Quarantine) throws -> Result
  ) throws -> Result {
    try files.checkOpen()
    do {
      return try healing { try readPresentQuarantine(of: name, body) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func readPresentQuarantine<Result>(
    of name: String, _ body: (ProjectionRecord, ProjectionRecord.Instance, Quarantine) throws -> Result
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
      if let result = try readQuarantineOnce(of: name, table, body) { return result }
    }
  }

  /// Reads the derived entities of a projection that this process knows, which it makes in temporary files if the store has
  /// no rows of this version; effects are off.
  ///
  /// - Returns: What `body` returned, or `nil` if the store has rows.
  /// - Throws: What `body` and `progress` throw; `StoreError`: `projectionStopped`.
  /// - Complexity: The projection's own cost for each commit, if there are no rows.
  package func readTemporaryRows<Result>(
    of projection: any Projection, _ progress: ((StoreProgress) throws -> Void)? = nil,
    _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    try withSnapshots { projections, journal in
      let (live, head) = (try projections.record(of: projection.name).live, try journal.head())
      if let live, live.version == UInt64(projection.version), !live.checkpoint.lacksEvents(),
        live.checkpoint.position > .empty, try live.checkpoint.belongs(to: journal, head: head)
      {
        return nil
      }
      guard let position = try journal.modelPositions().last(where: { $0 <= head }) else { return nil }
      let model = try journal.model(at: position)
      let rows = try FoldedRows(
        projection,
        ProjectionRecord.Instance(
          version: UInt64(projection.version), DerivedModel(of: projection, keeping: files.options.keptCommitCount)))
      let stop = try rows.advance(
        through: head, over: .journal(journal, model), in: journal,
        leavingOut: journal.presentLedger(of: projection.name), progress)
      if let stop { throw StoreError(stop, of: projection.name) }
      return try rows.withRows { try body(StoreReader($0.reader(by: model), at: head)) }
    }
  }

  private func liveTable(of name: String, in projections: ProjectionsSnapshot) throws -> String {
    if let live = try projections.record(of: name).live { return ProjectionRecord.tableName(of: name, live) }
    // A record of an earlier format is read as none.
    throw try projections.opened.recordNames(in: projections.snapshot).contains(name)
      ? StoreError(unbuiltProjection: name) : StoreError(missingProjection: name)
  }

  /// Reads the quarantine in a table, or returns `nil` if other rows have replaced its rows.
  private func readQuarantineOnce<Result>(
    of name: String, _ table: Table,
    _ body: (ProjectionRecord, ProjectionRecord.Instance, Quarantine) throws -> Result
  ) throws -> Result? {
    try withProjections { projections in
      let record = try projections.record(of: name)
      guard let live = record.live, ProjectionRecord.tableName(of: name, live) == table.name else { return nil }
      let result = try body(record, live, Quarantine(snapshot: projections.snapshot, table: table))
      if projections.snapshot.hasMetDamage { throw projections.snapshot.damage(.readValue) }
      return result
    }
  }

  /// Returns whether a step would do anything for a projection, without writing.
  package func hasWork(_ projection: any Projection) throws -> Bool {
    try files.checkOpen()
    // What it reads is applied before it.
    for case let other? in projection.reads.map(knownProjection) where try hasWork(other) { return true }
    return try healing {
      try withSnapshots { projections, journal in
        guard let live = try projections.record(of: projection.name).live,
          live.version == UInt64(projection.version), !live.checkpoint.lacksEvents()
        else { return true }
        guard let rows = try projections.opened.rows(readBy: projection, in: projections.snapshot) else { return false }
        if live.reads != rows.map(\.part) { return true }
        if let stop = live.stop {
          return try journal.presentLedger(of: projection.name).skips(stop.position, version: live.version)
        }
        let target = try rows.map(\.checkpoint).min() ?? journal.head()
        return live.hasRetries || live.checkpoint.position != target
      }
    }
  }

  /// Changes the record and the quarantine of a projection's live rows.
  ///
  /// - Throws: `StoreError`: `notFound` if the store has no such projection, `notBuilt` if it has no rows of it.
  package func changeQuarantine(
    of name: String, _ change: (inout ProjectionRecord.Instance, inout Quarantine) throws -> Void
  ) throws {
    try changeRecord(of: name) { record, transaction in
      guard var live = record.live,
        let table = try transaction.openTable(ProjectionRecord.tableName(of: name, live), create: false)
      else { throw StoreError(unbuiltProjection: name) }
      var quarantine = Quarantine(snapshot: transaction.snapshot, table: table)
      try change(&live, &quarantine)
      try quarantine.flush(in: &transaction)
      record.live = live
      // The commit that stopped a rebuild is tried again, or skipped if the ledger contains it.
      record.next?.stop = nil
    }
  }

  /// Discards the rows of an unfinished rebuild.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the store has no such projection.
  package func discardRebuild(of name: String) throws {
    try changeRecord(of: name) { record, transaction in
      guard let next = record.next else { return }
      record.next = nil
      try transaction.dropTables(of: name, next)
    }
  }
}
