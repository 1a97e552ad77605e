import DaybookEngine
import DaybookModel
import LMDB

/// Rows of a projection that are made from the journal alone, in files that are removed at the end.
///
/// Effects are off. The projection stops where an event fails and its policy is to stop; the rows are then those before
/// that event.
struct TemporaryRows {
  /// The projection, whose code makes the rows.
  let projection: any Projection
  let journal: LMDBJournal
  /// The last commit that is applied.
  let target: Position
  /// Names the events that are left out.
  let ledger: ProjectionLedger
  /// Called after each 1,024 commits.
  var progress: ((StoreProgress) throws -> Void)?

  /// The memory that changes take before they are written into the temporary table, in bytes.
  private static let maximumSizeInBytes = 16 << 20
  private static let commitsOfAReport: UInt64 = 1_024

  /// Makes the rows.
  ///
  /// - Parameter body: Reads the rows, in a transaction that is never committed.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` and the progress throw; `LMDBError`, also where the temporary directory has no room.
  /// - Complexity: The projection's own cost for each commit; 16 MiB of memory, and the rows on the disk.
  func read<Result>(
    _ body: (ProjectionRecord.Instance, Table, inout WriteTransaction) throws -> Result
  ) throws -> Result {
    let storage = try TemporaryStorage(prefix: "daybook-rows")
    defer { storage.remove() }
    let environment = try Environment.open(
      at: storage.path, options: EnvironmentOptions(maximumTables: 4, flush: .none))
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    guard let table = try transaction.openTable("rows", create: true) else {
      preconditionFailure("A table that is created can be opened.")
    }
    let run = ProjectionRun(
      projection, ProjectionRecord.Instance(version: UInt64(projection.version), generation: 0),
      rows: ProjectionTable(snapshot: transaction.snapshot, table: table), journal: journal, models: ModelHistory(),
      ledger: ledger, silentThrough: target)
    if target > .empty {
      try journal.forEachCommit(from: 1, through: target) { commit in
        try run.apply(commit.header, body: commit.body, hash: commit.hash)
        if run.rows.sizeInBytes > TemporaryRows.maximumSizeInBytes { try run.rows.flush(in: &transaction) }
        try report(commit.header.position)
        return run.instance.stop == nil
      }
    }
    try run.rows.flush(in: &transaction)
    return try body(run.instance, table, &transaction)
  }

  private func report(_ position: Position) throws {
    guard let progress, position.number % TemporaryRows.commitsOfAReport == 0 else { return }
    try progress(
      StoreProgress(
        activity: "folding \(projection.name)", completed: position.number, total: target.number, unit: "commits"))
  }
}
