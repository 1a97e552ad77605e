import DaybookEngine
import DaybookModel
import LMDB

/// The runs of inline projections, which a write includes.
extension ProjectionKeeper {
  /// The greatest number of commits that a write applies to an inline projection.
  ///
  /// A projection with more outstanding commits is left to its next reader, so that other writers do not wait.
  static let maximumInlineLag: UInt64 = 1_000

  /// Returns a run for each inline projection that this process knows, caught up to the head.
  ///
  /// Omitted are projections that are further behind, are being built, or are of another version. The run of a stopped
  /// projection applies nothing.
  ///
  /// - Parameters:
  ///   - present: The stored objects at the head.
  ///   - modelPosition: The position of their model.
  func inlineRuns(
    of opened: OpenProjections, in transaction: inout WriteTransaction, journal: LMDBJournal, present: State,
    at modelPosition: Position
  ) throws -> [ProjectionRun] {
    var runs: [ProjectionRun] = []
    for projection in files.options.projections where projection.mode == .inline {
      // The rows that it reads are the ones of the runs before it.
      guard let reads = runs.all(readBy: projection) else { continue }
      for run in reads { try run.flush(in: &transaction) }
      let rows = reads.map(\.derivedInstance).sorted { $0.name < $1.name }
      let scope = try opened.scope(of: rows, over: present, at: modelPosition, in: journal, &transaction)
      guard
        let run = try inlineRun(projection, reading: rows, of: opened, in: &transaction, journal: journal, scope)
      else { continue }
      run.reads = reads
      try run.takeIn(
        through: scope.state.position,
        over: .present(scope, rewindLimit: files.options.projectionRewindLimit), in: journal)
      runs.append(run)
    }
    return runs
  }

  private func inlineRun(
    _ projection: any Projection, reading rows: [DerivedInstance], of opened: OpenProjections,
    in transaction: inout WriteTransaction, journal: LMDBJournal, _ scope: ScopedState
  ) throws -> ProjectionRun? {
    let head = try journal.head()
    guard let live = try opened.record(of: projection.name, in: transaction.snapshot).live,
      live.version == UInt64(projection.version), !live.checkpoint.lacksEvents(),
      try live.checkpoint.belongs(to: journal, head: head),
      head.number - live.checkpoint.position.number <= ProjectionKeeper.maximumInlineLag,
      !live.hasRetries, live.reads == rows.map(\.part),
      let table = try transaction.openTable(ProjectionRecord.tableName(of: projection.name, live), create: false)
    else { return nil }
    let derived: DerivedRun
    do {
      derived = try DerivedRun(
        of: projection.name, live, in: scope.state.reader.model, &transaction, journal: journal, models: models)
    } catch let error as StoreError where error.code == .badModel {
      // The model has the name of one of its entities: its own step stops it.
      return nil
    }
    return ProjectionRun(
      projection, live, derived: derived, quarantine: Quarantine(snapshot: transaction.snapshot, table: table),
      ledger: try journal.presentLedger(of: projection.name), silentThrough: .empty)
  }
}

private extension [ProjectionRun] {
  /// Returns the runs of the projections that another one reads, and of all that these read, in the order of the runs;
  /// `nil` if one of them has no run.
  func all(readBy projection: any Projection) -> [ProjectionRun]? {
    let direct = projection.reads.compactMap { name in first { $0.projection.name == name } }
    guard direct.count == projection.reads.count else { return nil }
    return filter { run in direct.contains { $0 === run || $0.reads.contains { $0 === run } } }
  }
}
