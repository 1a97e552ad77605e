import DaybookEngine
import DaybookModel
import LMDB

/// Rows of a projection that its code makes again, in files that are removed at the end.
///
/// Effects are off. Readers of snapshots use the files while one thread at a time advances the rows.
final class FoldedRows: Sendable {
  private let projection: any Projection
  private let storage: TemporaryStorage
  let environment: Environment
  private let tables: [Table]
  private let stateTable: Table

  /// - Parameter start: The rows before the first commit.
  /// - Throws: `LMDBError`, also where the temporary directory has no room.
  init(_ projection: any Projection, _ start: ProjectionRecord.Instance) throws {
    self.projection = projection
    storage = try TemporaryStorage(prefix: "daybook-rows")
    environment = try Environment.open(
      at: storage.path, options: EnvironmentOptions(maximumTables: 16, flush: .none))
    var transaction = try environment.beginWrite()
    tables = try transaction.makeTables(ProjectionRecord.tableNames(of: projection.name, start))
    stateTable = try transaction.makeTables([BuiltInTablesState.tableName])[0]
    try FoldedRows.put(start, of: projection, in: stateTable, &transaction)
    try transaction.commit()
  }

  deinit {
    environment.close()
    storage.remove()
  }

  private static func put(
    _ instance: ProjectionRecord.Instance, of projection: any Projection, in stateTable: Table,
    _ transaction: inout WriteTransaction
  ) throws {
    var record = ProjectionRecord()
    record.live = instance
    // The commit is tried again when the rows are advanced.
    record.live?.stop = nil
    try transaction.put(ProjectionRecord.key(of: projection.name), record.bytes, in: stateTable)
  }

  /// Calls a closure with the rows.
  func withRows<Result>(_ body: (DerivedInstance) throws -> Result) throws -> Result {
    try environment.withSnapshot { snapshot in
      try body(
        DerivedInstance(
          name: projection.name, instance: instance(in: snapshot), place: (Array(tables.dropFirst()), snapshot)))
    }
  }

  private func instance(in snapshot: TransactionSnapshot) throws -> ProjectionRecord.Instance {
    guard let live = try ProjectionRecord(of: projection.name, in: snapshot, stateTable)?.live else {
      throw StoreError(unbuiltProjection: projection.name)
    }
    return live
  }

  /// Whether it has the history of some rows, up to its checkpoint.
  func isOf(_ live: ProjectionRecord.Instance) throws -> Bool {
    try withRows {
      $0.instance.generation == live.generation && $0.instance.version == live.version
        && $0.checkpoint <= live.checkpoint.position
    }
  }

  /// Applies the commits up to a target, in transactions of the size of a step.
  ///
  /// - Parameters:
  ///   - objects: The objects that the projection reads.
  ///   - ledger: Names the commits that are left out.
  ///   - progress: Called after each 1,024 commits.
  /// - Returns: The commit that failed, before which the rows end, if the policy of the projection is to stop.
  /// - Throws: What `progress` throws; `LMDBError`, also where there is no room; `StoreError` with the code `badModel`
  ///   if the model does not allow the entities. The rows have the commits of the transactions before then.
  func advance(
    through target: Position, over objects: StoredWalk.Base, in journal: LMDBJournal,
    leavingOut ledger: ProjectionLedger, _ progress: ((StoreProgress) throws -> Void)? = nil
  ) throws -> ProjectionRecord.Stop? {
    var transaction = try environment.beginWrite()
    let run = try ProjectionRun(
      projection, instance(in: transaction.snapshot), tables: tables, in: objects.model, transaction.snapshot,
      journal: journal, models: ModelHistory(), ledger: ledger, silentThrough: target)
    var folded: FoldedState?
    while run.instance.stop == nil, run.instance.checkpoint.position < target {
      folded = try run.takeIn(through: target, over: objects, in: journal, continuing: folded) {
        try report(run.instance.checkpoint.position, of: target, progress)
        return try !run.isFilled()
      }
      try run.flush(in: &transaction)
      try FoldedRows.put(run.instance, of: projection, in: stateTable, &transaction)
      try transaction.commitAndContinue()
    }
    return run.instance.stop
  }

  private static let commitsOfAReport: UInt64 = 1_024

  private func report(
    _ position: Position, of target: Position, _ progress: ((StoreProgress) throws -> Void)?
  ) throws {
    guard let progress, position.number % FoldedRows.commitsOfAReport == 0 else { return }
    try progress(
      StoreProgress(
        activity: "folding \(projection.name)", completed: position.number, total: target.number, unit: "commits"))
  }
}
