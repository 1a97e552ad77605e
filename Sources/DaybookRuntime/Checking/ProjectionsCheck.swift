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

  /// Whether all tables are open that the state names and the file contains.
  ///
  /// Another process may have replaced them in between. A table that the file lacks counts as open: its absence is a
  /// fault.
  var hasTables: Bool {
    guard let state, let names = try? snapshot.tableNames() else { return true }
    return state.tableNames.allSatisfy { tables[$0] != nil || !names.contains($0) }
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
