import DaybookEngine
import DaybookModel
import LMDB

/// Checks the rows of the projections of users.
///
/// The code of a projection makes the rows again, and they are compared. Rows of which the process has no code are compared
/// with what their recorded changes add up to.
///
/// The commits that the rows lack, because they were quarantined or skipped, are left out again. The rows of the quarantine
/// are not compared: a reason may be worded in another way.
struct UserProjectionsCheck {
  let subject: ProjectionsCheck
  /// The projections that the caller knows.
  let projections: [any Projection]
  /// The memory that changes take before they are written into temporary tables, in bytes.
  let memoryLimit: Int
  let progress: ((StoreProgress) -> Void)?

  /// Checks the projections.
  ///
  /// - Returns: The number of compared rows, and notes about projections that were not compared.
  func run() throws -> (rowCount: Int, notes: [String]) {
    var (rowCount, notes) = (0, [String]())
    for name in try names() where !subject.faults.isFull {
      guard let live = try live(of: name) else { continue }
      let known = projections.first { $0.name == name }
      guard known.map({ live.version == UInt64($0.version) }) ?? true, !live.checkpoint.lacksEvents(),
        try live.checkpoint.belongs(to: subject.findings.journal, head: subject.findings.head)
      else {
        notes.append("The projection \(name) was not compared: its rows are built again before they are read.")
        continue
      }
      guard let scope = try scope(of: name, live) else { continue }
      if known == nil, live.firstKept > 1 {
        notes.append("The projection \(name) was not compared: it keeps no history, and this program does not know it.")
        continue
      }
      if let known {
        rowCount += try check(known, live, scope)
      } else {
        rowCount += try DerivedRowsCheck(
          subject: subject, name: name, instance: live, derived: live.derived, scope: scope, memoryLimit: memoryLimit,
          progress: progress
        ).run()
      }
    }
    return (rowCount, notes)
  }

  /// What the rows of a projection follow from.
  struct Scope {
    /// The model of the store with the entities of the projections that are read.
    var model: ResolvedModel
    var changes: [DerivedChanges]
  }

  /// Returns what the rows of a projection follow from, or `nil` if it cannot be read, which is reported.
  private func scope(of name: String, _ live: ProjectionRecord.Instance) throws -> Scope? {
    guard let model = subject.findings.model(at: subject.findings.head)?.model else { return nil }
    var (names, models, changes): ([String], [DerivedModel], [DerivedChanges]) = (live.derived.reads, [], [])
    var next = 0
    while next < names.count {
      let other = try self.live(of: names[next])
      guard let other,
        let table = ProjectionRecord.derivedTableNames(of: names[next], other).last.flatMap({ subject.tables[$0] })
      else {
        subject.faults.report(
          .projections, "projection \(name)", "the rows of \(names[next]), from which its own follow, do not exist")
        return nil
      }
      models.append(other.derived)
      changes.append(DerivedChanges(table, in: subject.snapshot, of: names[next], from: other.firstKept))
      names += other.derived.reads.filter { !names.contains($0) }
      next += 1
    }
    do {
      return Scope(model: try model.adding(models), changes: changes)
    } catch {
      subject.faults.report(
        .projections, "projection \(name)", "the model of the store does not allow what it reads: \(error)")
      return nil
    }
  }

  /// The projections that have a record; none if one of the records is damaged, which the check of the rows reports.
  private func names() throws -> [String] {
    guard let states = subject.tables[BuiltInTablesState.tableName] else { return [] }
    do {
      return try ProjectionRecord.names(in: subject.snapshot, states)
    } catch let error as LMDBError where error.kind == .checksumMismatch {
      return []
    }
  }

  private func live(of name: String) throws -> ProjectionRecord.Instance? {
    guard let states = subject.tables[BuiltInTablesState.tableName] else { return nil }
    return try ProjectionRecord(of: name, in: subject.snapshot, states)?.live
  }

  /// Makes the rows of a projection again, and compares them.
  private func check(
    _ projection: any Projection, _ live: ProjectionRecord.Instance, _ scope: Scope
  ) throws -> Int {
    let names = ProjectionRecord.tableNames(of: projection.name, live)
    let tables = names.compactMap { subject.tables[$0] }
    // The check of the rows reports a missing table.
    guard tables.count == names.count else { return 0 }
    let leftOut = try Quarantine(snapshot: subject.snapshot, table: tables[0]).commits()
    let ledger = try subject.findings.journal.presentLedger(of: projection.name).leavingOut(leftOut, of: live.version)
    let location = "projection \(projection.name)"
    do {
      let rows = try FoldedRows(projection, ProjectionRecord.Instance(version: live.version, live.derived))
      let stop = try rows.advance(
        through: live.checkpoint.position,
        over: .journal(subject.findings.journal.adding(scope.changes), scope.model), in: subject.findings.journal,
        leavingOut: ledger, progress)
      if let stop {
        subject.faults.report(
          .projections, location,
          "folded again, it stops at commit \(stop.position), which it has applied: \(stop.reason)")
        return 0
      }
      return try rows.withRows { try compare(tables, with: $0, by: scope.model, location) }
    } catch let error as StoreError where error.code == .badModel {
      subject.faults.report(.projections, location, error.message)
      return 0
    }
  }

  /// - Parameters:
  ///   - tables: The tables of the rows in the store, after the one of the quarantine.
  ///   - model: The model of the store with the entities of the projections that are read.
  private func compare(
    _ tables: [Table], with made: DerivedInstance, by model: ResolvedModel, _ location: String
  ) throws -> Int {
    guard let place = made.place else { preconditionFailure("Folded rows are in files of their own.") }
    let model = try model.serving([made.model])
    var comparison = TableComparison(
      subject: subject, folded: place.snapshot, faults: subject.faults, progress: progress)
    var rowCount = 0
    for (number, table) in zip(tables.dropFirst(), place.tables).enumerated() {
      // The last table has the changes.
      let name = number < TableName.allCases.count ? TableName.allCases[number] : nil
      rowCount = try comparison.compare(
        "\(location), table \(name?.name ?? "changes")", table.0, with: table.1
      ) { key in
        name.map { TableComparison.describe($0, key, by: model) }
          ?? TableComparison.rowName(key)
      }
    }
    return rowCount
  }
}
