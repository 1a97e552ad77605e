import DaybookEngine
import DaybookModel
import LMDB

/// The rows of a projection that keeps no history, folded with it into files that are removed at the end.
///
/// Readers of snapshots use the files while one thread at a time advances it.
final class FoldedHistory: Sendable {
  private let projection: any Projection
  private let storage: TemporaryStorage
  private let environment: Environment
  private let tables: [Table]
  private let stateTable: Table

  /// - Parameter instance: The rows of the store, whose tags and numbers the folded ones have.
  init(_ projection: any Projection, like instance: ProjectionRecord.Instance) throws {
    self.projection = projection
    storage = try TemporaryStorage(prefix: "daybook-history")
    environment = try Environment.open(
      at: storage.path, options: EnvironmentOptions(maximumTables: 16, flush: .none))
    var record = ProjectionRecord()
    record.live = ProjectionRecord.Instance(
      version: instance.version, generation: instance.generation, fold: instance.fold,
      instance.derived.keepingAllChanges())
    record.live?.reads = instance.reads
    var transaction = try environment.beginWrite()
    tables = try transaction.makeTables(ProjectionRecord.tableNames(of: projection.name, instance))
    stateTable = try transaction.makeTables([BuiltInTablesState.tableName])[0]
    try transaction.put(ProjectionRecord.key(of: projection.name), record.bytes, in: stateTable)
    try transaction.commit()
  }

  deinit {
    environment.close()
    storage.remove()
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
    try environment.withSnapshot { snapshot in
      let own = try instance(in: snapshot)
      return own.generation == live.generation && own.version == live.version
        && own.checkpoint.position <= live.checkpoint.position
    }
  }

  /// Applies the commits up to a target; effects are off.
  ///
  /// - Parameters:
  ///   - scope: What the projection reads, at the target or a later position.
  ///   - ledger: Names the commits that the rows have left out.
  ///   - rewindLimit: The most commits that are undone in memory to read stored objects.
  /// - Throws: `StoreError` with the code `projectionStopped` if a commit fails that the rows have applied; `LMDBError`.
  func advance(
    through target: Position, before scope: ScopedState, in journal: LMDBJournal, leavingOut ledger: ProjectionLedger,
    rewindLimit: UInt64
  ) throws {
    var transaction = try environment.beginWrite()
    var instance = try instance(in: transaction.snapshot)
    var folded: FoldedState?
    let models = ModelHistory()
    while instance.checkpoint.position < target {
      let run = try ProjectionRun(
        projection, instance, tables: tables, in: scope.state.reader.model, transaction.snapshot, journal: journal,
        models: models, ledger: ledger, silentThrough: target)
      folded = try run.takeIn(
        through: target, before: scope, in: journal, rewindLimit: rewindLimit, continuing: folded
      ) { run.sizeInBytes < Layer.maximumSizeInBytes }
      if let stop = run.instance.stop { throw StoreError(stop, of: projection.name) }
      try run.flush(in: &transaction)
      instance = run.instance
    }
    var record = ProjectionRecord()
    record.live = instance
    try transaction.put(ProjectionRecord.key(of: projection.name), record.bytes, in: stateTable)
    try transaction.commit()
  }
}
