import DaybookEngine
import DaybookModel
import LMDB

/// The projections to compare with the tables folded from the journal.
struct ProjectionsCheck {
  let snapshot: TransactionSnapshot
  let tables: OpenedTables
  let findings: JournalFindings
  let faults: FaultList
  /// The state of the projections, or `nil` if it cannot be read.
  let state: BuiltInTablesState?

  init(snapshot: TransactionSnapshot, tables: OpenedTables, findings: JournalFindings, faults: FaultList) {
    self.snapshot = snapshot
    self.tables = tables
    self.findings = findings
    self.faults = faults
    var state: BuiltInTablesState?
    let key = BuiltInTablesState.key
    // A row that is missing or unreadable is reported together with the checkpoint.
    if let table = tables[BuiltInTablesState.tableName],
      let row = try? snapshot.unsafeValue(for: key.rawSpan, in: table)
    {
      state = BuiltInTablesState(row.unsafeSpan)
    }
    self.state = state
  }

  /// Whether all of our tables in the file are open: another process may have replaced them in between.
  var hasTables: Bool {
    get throws { try snapshot.tableNames().allSatisfy { tables[$0] != nil || !OpenedTables.isOurs($0) } }
  }

  /// Checks that the rows of the state table, and of the tables that no other check walks, are intact, and that each
  /// projection's tables are there.
  ///
  /// A row's checksum covers its key: a state row under another name would leave a projection that seems not to be there.
  func checkRows() throws {
    guard let states = tables[BuiltInTablesState.tableName] else { return }
    try checkSeals(of: states) { key in "the row “\(String(decoding: key, as: UTF8.self))”" }
    for name in tables.names where name.hasPrefix(ProjectionRecord.tablePrefix) {
      guard let table = tables[name] else { continue }
      try checkSeals(of: table) { key in TableComparison.rowName(key.rawSpan) }
    }
    // A name cannot be read next to a damaged row.
    guard let names = try? ProjectionRecord.names(in: snapshot, states) else { return }
    for name in names {
      let record = try ProjectionRecord(of: name, in: snapshot, states)
      for instance in [record?.live, record?.next].compactMap(\.self) {
        for table in ProjectionRecord.tableNames(of: name, instance) where tables[table] == nil {
          faults.report(.projections, "table \(table)", "it is missing")
        }
      }
    }
  }

  private func checkSeals(of table: Table, naming: ([UInt8]) -> String) throws {
    var cursor = try snapshot.makeCursor(in: table)
    var isDamaged = false
    while try TableComparison.isAtRow(&isDamaged, { try cursor.moveToNext() }), !faults.isFull {
      guard isDamaged else { continue }
      faults.report(.projections, "table \(table.name)", "\(naming([UInt8](cursor.key))) differs from what was written")
    }
  }

  /// Returns the position at which the projections can be compared.
  ///
  /// Returns `nil`, and adds a fault or a note, if they cannot be compared.
  func checkpoint(_ notes: inout [String]) throws -> Position? {
    guard let state else {
      faults.report(.projections, "table projections", "it does not say how far the projections are")
      return nil
    }
    try checkTables(state)
    let checkpoint = state.checkpoint
    guard checkpoint.position > .empty, checkpoint.position <= findings.head else {
      faults.report(
        .projections, "table projections",
        "the projections are at \(checkpoint.position), but the journal ends at \(findings.head)")
      return nil
    }
    let hash = try findings.journal.header(at: checkpoint.position).hash
    guard hash == checkpoint.hash else {
      faults.report(
        .projections, "table projections",
        "the projections are those of another journal: they say that commit \(checkpoint.position) has the hash \(checkpoint.hash), but it has \(hash)"
      )
      return nil
    }
    let model = findings.model(at: checkpoint.position)?.position
    guard model == state.modelPosition else {
      faults.report(
        .projections, "table projections",
        "the projections are kept by the model of commit \(state.modelPosition), but \(model.map { "\($0)" } ?? "none") holds"
      )
      return nil
    }
    if checkpoint.position < findings.head {
      notes.append(
        "The projections are at \(checkpoint.position), behind the journal at \(findings.head); they catch up when the store is opened or read."
      )
    }
    return state.tableNames.allSatisfy { tables[$0] != nil } ? checkpoint.position : nil
  }

  private func checkTables(_ state: BuiltInTablesState) throws {
    for name in state.tableNames where tables[name] == nil {
      faults.report(.projections, "table \(name)", "it is missing")
    }
    for name in tables.names where TableName(ofTable: name) != nil && !state.tableNames.contains(name) {
      guard let table = tables[name] else { continue }
      // A table that was dropped while a reader used it stays as an empty table; the next change removes it.
      if try snapshot.entryCount(in: table) > 0 {
        faults.report(.projections, "table \(name)", "it belongs to no generation in use")
      }
    }
  }
}
