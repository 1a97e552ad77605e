import DaybookEngine
import DaybookModel
import LMDB

/// Rows of a projection that are made from the journal alone, in files that are removed at the end.
///
/// Effects are off. The projection stops where a commit fails and its policy is to stop; the rows are then those before
/// that commit.
struct TemporaryRows {
  /// The projection, whose code makes the rows.
  let projection: any Projection
  let journal: LMDBJournal
  /// The model by which commits are read, with the entities of the projections that are read.
  let model: ResolvedModel
  /// The changes of the projections that are read.
  var changes: [DerivedChanges] = []
  /// The last commit that is applied.
  let target: Position
  /// Names the commits that are left out.
  let ledger: ProjectionLedger
  /// Called after each 1,024 commits.
  var progress: ((StoreProgress) throws -> Void)?

  private static let commitsOfAReport: UInt64 = 1_024

  /// Rows that were made, in a transaction that is never committed.
  struct Made {
    let run: ProjectionRun
    /// The tables in the order of ``ProjectionRecord/tableNames(of:_:)``.
    let tables: [Table]
    let snapshot: TransactionSnapshot
  }

  /// Makes the rows.
  ///
  /// - Parameters:
  ///   - derived: The derived entities with their tags.
  ///   - body: Reads the rows.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` and the progress throw; `LMDBError`, also where the temporary directory has no room;
  ///   `StoreError` with the code `badModel` if the model does not allow the entities.
  /// - Complexity: The projection's own cost for each commit; 16 MiB of memory, and the rows on the disk.
  func read<Result>(_ derived: DerivedModel, _ body: (Made) throws -> Result) throws -> Result {
    let storage = try TemporaryStorage(prefix: "daybook-rows")
    defer { storage.remove() }
    let environment = try Environment.open(
      at: storage.path, options: EnvironmentOptions(maximumTables: 16, flush: .none))
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    let instance = ProjectionRecord.Instance(version: UInt64(projection.version), derived)
    let tables = try transaction.makeTables(ProjectionRecord.tableNames(of: projection.name, instance))
    let run = try ProjectionRun(
      projection, instance, tables: tables, in: model, transaction.snapshot, journal: journal, models: ModelHistory(),
      ledger: ledger, silentThrough: target)
    try apply(to: run, &transaction)
    try run.flush(in: &transaction)
    return try body(Made(run: run, tables: tables, snapshot: transaction.snapshot))
  }

  private func apply(to run: ProjectionRun, _ transaction: inout WriteTransaction) throws {
    guard target > .empty else { return }
    let objects = projection is any DaybookProjection ? nil : try FoldedState(model, Dependents(model))
    try journal.adding(changes).forEachCommit(from: 1, through: target) { commit in
      if let objects {
        try objects.fold(commit)
        try run.apply(commit.header, body: commit.body, hash: commit.hash, objects.states(around: commit))
      } else {
        try run.apply(commit.header, body: commit.body, hash: commit.hash, nil)
      }
      if run.sizeInBytes > Layer.maximumSizeInBytes { try run.flush(in: &transaction) }
      try report(commit.header.position)
      return run.instance.stop == nil
    }
  }

  private func report(_ position: Position) throws {
    guard let progress, position.number % TemporaryRows.commitsOfAReport == 0 else { return }
    try progress(
      StoreProgress(
        activity: "folding \(projection.name)", completed: position.number, total: target.number, unit: "commits"))
  }
}
