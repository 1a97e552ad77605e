import DaybookEngine
import DaybookModel
import LMDB

/// Commits that a step applies before it takes the lock of writers.
///
/// Rows that are far behind are read and folded for most of the time, and written for a small part of it. So a step that
/// follows another one applies commits to memory while others write, such as a step of another projection. It then takes
/// the lock, and keeps what it has if nothing has changed the rows meanwhile.
extension ProjectionStep {
  /// What a step leaves to the next one.
  struct Progress {
    /// The stored objects that former steps have folded.
    var folded: FoldedState?
    /// The rows at the end of the last step, if the next one may apply commits to them ahead.
    var rows: Rows?

    struct Rows {
      let instance: ProjectionRecord.Instance
      /// Whether the rows are being built beside the live ones.
      let isNext: Bool
      let target: Position
      let silentThrough: Position
    }
  }

  /// A run that has applied commits to memory.
  struct RunAhead {
    let run: ProjectionRun
    /// The rows before these commits.
    let start: ProjectionRecord.Instance
    let ledger: ProjectionLedger
  }

  /// Applies the commits that follow the last step, in a snapshot.
  ///
  /// - Returns: `nil` for the first step, for a projection that reads others, and if other rows have taken their place.
  func runAhead(in opened: OpenProjections) throws -> RunAhead? {
    guard let rows = progress.withLock({ $0.rows.take() }) else { return nil }
    let name = projection.name
    let names = ProjectionRecord.tableNames(of: name, rows.instance)
    let tables = try opened.environment.openTables(names).compactMap { $0 }
    return try keeper.withSnapshots { projections, journal -> RunAhead? in
      let snapshot = projections.snapshot
      guard projections.opened === opened, tables.count == names.count, tables.allSatisfy(snapshot.has),
        case let record = try opened.record(of: name, in: snapshot),
        (rows.isNext ? record.next : record.live) == rows.instance,
        let state = try projections.state, try state.checkpoint.position == journal.head(),
        let catalog = opened.catalog(matching: state)
      else { return nil }
      let present = State(
        reader: catalog.reader(over: snapshot, largeValues: journal.largeValues), dependents: catalog.dependents,
        position: state.checkpoint.position)
      let ledger = try journal.presentLedger(of: name)
      let run = try ProjectionRun(
        projection, rows.instance, tables: tables, in: catalog.model, snapshot, journal: journal, models: keeper.models,
        ledger: ledger, silentThrough: rows.silentThrough)
      try takeIn(
        run, through: min(rows.target, present.position), journal, ScopedState(present, in: journal),
        atMost: ProjectionStep.maximumDurationAhead)
      return RunAhead(run: run, start: rows.instance, ledger: ledger)
    }
  }
}
