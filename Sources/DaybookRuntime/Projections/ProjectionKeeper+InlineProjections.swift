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
  /// - Parameter present: The stored objects at the head.
  func inlineRuns(
    of opened: OpenProjections, in transaction: inout WriteTransaction, journal: LMDBJournal, present: State
  ) throws -> [ProjectionRun] {
    var runs: [ProjectionRun] = []
    for projection in files.options.projections where projection.mode == .inline {
      guard let run = try inlineRun(projection, of: opened, in: &transaction, journal: journal, present: present)
      else { continue }
      try run.retry()
      try run.takeIn(
        through: present.position, before: present, in: journal, rewindLimit: files.options.projectionRewindLimit)
      runs.append(run)
    }
    return runs
  }

  private func inlineRun(
    _ projection: any Projection, of opened: OpenProjections, in transaction: inout WriteTransaction,
    journal: LMDBJournal, present: State
  ) throws -> ProjectionRun? {
    let head = present.position
    guard let live = try opened.record(of: projection.name, in: transaction.snapshot).live,
      live.version == UInt64(projection.version), !live.checkpoint.lacksEvents(),
      try live.checkpoint.belongs(to: journal, head: head),
      head.number - live.checkpoint.position.number <= ProjectionKeeper.maximumInlineLag,
      !live.isToBeBuiltAgain,
      let table = try transaction.openTable(ProjectionRecord.tableName(of: projection.name, live), create: false)
    else { return nil }
    return ProjectionRun(
      projection, live,
      rows: ProjectionTable(
        snapshot: transaction.snapshot, table: table, notesKeys: rowChanges.isFollowed(projection.name)),
      derived: try live.derived == nil
        ? nil
        : DerivedRun(
          of: projection.name, live, in: present.reader.model, &transaction, journal: journal, models: models),
      journal: journal, models: models, ledger: try journal.presentLedger(of: projection.name), silentThrough: .empty)
  }
}
