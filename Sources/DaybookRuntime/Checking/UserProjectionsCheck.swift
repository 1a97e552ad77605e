import DaybookEngine
import DaybookModel
import LMDB

/// Folds the deterministic projections of users again, and compares their rows.
///
/// The events that the rows lack, because they were quarantined or skipped, are left out again. The rows of the quarantine
/// are not compared: a reason may be worded in another way.
struct UserProjectionsCheck {
  let subject: ProjectionsCheck
  /// The projections that the caller knows.
  let projections: [any Projection]
  let progress: ((StoreProgress) -> Void)?

  /// The first bytes of keys after the rows of the quarantine.
  private static let firstKey: [UInt8] = [1]

  /// Checks the projections.
  ///
  /// - Returns: The number of compared rows, and notes about projections that were not compared.
  func run() throws -> (rowCount: Int, notes: [String]) {
    var (rowCount, notes) = (0, [String]())
    for projection in projections where projection.isDeterministic {
      guard let live = try live(of: projection) else { continue }
      guard live.version == UInt64(projection.version), !live.checkpoint.lacksEvents(),
        try live.checkpoint.belongs(to: subject.findings.journal, head: subject.findings.head)
      else {
        notes.append(
          "The projection \(projection.name) was not compared: its rows are built again before they are read.")
        continue
      }
      rowCount += try check(projection, live)
    }
    return (rowCount, notes)
  }

  private func live(of projection: any Projection) throws -> ProjectionRecord.Instance? {
    guard let states = subject.tables[BuiltInTablesState.tableName] else { return nil }
    do {
      return try ProjectionRecord(of: projection.name, in: subject.snapshot, states)?.live
    } catch let error as LMDBError where error.kind == .checksumMismatch {
      return nil  // The check of the rows reports it.
    }
  }

  private func check(_ projection: any Projection, _ live: ProjectionRecord.Instance) throws -> Int {
    let name = ProjectionRecord.tableName(of: projection.name, live)
    guard let table = subject.tables[name] else { return 0 }  // The check of the rows reports it.
    var ledger = try subject.findings.journal.presentLedger(of: projection.name)
    for event in try ProjectionTable(snapshot: subject.snapshot, table: table).quarantine() {
      ledger.skipped.append(ProjectionLedger.Skip(version: live.version, address: event.address))
    }
    let rows = TemporaryRows(
      projection: projection, journal: subject.findings.journal, target: live.checkpoint.position, ledger: ledger,
      progress: progress)
    return try rows.read { instance, folded, transaction in
      if let stop = instance.stop {
        subject.faults.report(
          .projections, "projection \(projection.name)",
          "folded again, it stops at event \(stop.address), which it has applied: \(stop.reason)")
        return 0
      }
      var comparison = TableComparison(
        subject: subject, folded: transaction.snapshot, faults: subject.faults, progress: progress)
      return try comparison.compare(
        "projection \(projection.name)", table, with: folded, from: UserProjectionsCheck.firstKey
      ) { key in UserProjectionsCheck.describe(key) }
    }
  }

  private static func describe(_ key: RawSpan) -> String {
    let bytes = [UInt8](key)
    let name = bytes.prefix { $0 != 0 }
    let rest = Array(bytes.dropFirst(name.count + 1))
    return "table \(String(decoding: name, as: UTF8.self)), \(TableComparison.rowName(rest.rawSpan))"
  }
}
