import DaybookEngine
import DaybookModel
import Foundation
import LMDB

extension ProjectionKeeper {
  /// Reads the store at its head; see ``Store/read(_:)``.
  package func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try files.checkOpen()
    return try readUnchecked(body)
  }

  /// Reads the store in a scope: at its head, or at the lowest checkpoint of projections.
  package func read<Result>(
    in scope: RequestScope, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    try read { reader in
      if let derived = try reader.derived(in: scope) { return try body(derived) }
      return try body(reader)
    }
  }

  /// Reads the store in a scope, or returns `nil` if another writer keeps this process from making rows that do not exist
  /// yet.
  package func readIfBuilt<Result>(
    in scope: RequestScope, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    try read { reader in
      do {
        guard let derived = try reader.derived(in: scope) else { return try body(reader) }
        return try body(derived)
      } catch is AwaitedRows {
        return nil
      }
    }
  }

  /// Returns the projections in the transactions of a reader.
  package func projections(of reader: borrowing StoreReader) -> ProjectionsSnapshot {
    ProjectionsSnapshot(opened: currentProjections, snapshot: reader.reader.snapshot)
  }

  /// Reads the store at its head, even if it is being closed.
  func readUnchecked<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    do {
      return try healing { try readAttempting(body) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func readAttempting<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    // Each iteration returns a result or catches up; only a store that is written to continuously can need more than a
    // few.
    var stuckAt: (checkpoint: Position?, count: Int)?
    var readsJournal = false
    var unopened: UnopenedTables?
    var applied: Set<String> = []
    var histories: [String: FoldedRows] = [:]
    while true {
      let opened = currentProjections
      let attempt: Attempt<Result>
      do {
        attempt = try readOnce(readsJournal, without: applied, with: Array(histories.values)[...], [], body)
      } catch let missing as UnopenedTables {
        // No table is opened beside the write transaction: the write runs again, after that.
        if isWritingOnThisThread { throw missing }
        guard missing != unopened else { throw StoreError(missing) }
        unopened = missing
        try opened.open(missing)
        continue
      } catch let missing as MissingRows {
        applied.insert(missing.projection.name)
        try apply(missing)
        continue
      } catch let missing as UnkeptChanges where histories[missing.projection] == nil {
        histories[missing.projection] = try foldedHistory(of: missing.projection)
        continue
      }
      switch attempt {
      case .answer(let result): return result
      case .needsTables(let state, let opened):
        if isWritingOnThisThread { throw UnopenedTables.builtIn }
        try openTables(of: state, in: opened)
      case .isBehind(let checkpoint): readsJournal = try waitForWriter(at: checkpoint, &stuckAt)
      }
    }
  }

  /// Waits until the projections may have caught up with the journal, or catches up itself.
  ///
  /// A writer is, or was when the two snapshots began, between its two commits. If the projections are still at their
  /// checkpoint after waiting for a writer of this process, it is one of another process; and if they still are after a
  /// time, that writer has died, or is stopped.
  ///
  /// - Parameter stuckAt: The checkpoint at which this thread has waited, and how often.
  /// - Returns: Whether the commits that the projections lack are to be read from the journal: another writer has the lock.
  /// - Throws: `LMDBError` of kind `writerBusy` if another writer has the lock, and there are no projections yet.
  private func waitForWriter(
    at checkpoint: Position?, _ stuckAt: inout (checkpoint: Position?, count: Int)?
  ) throws -> Bool {
    let count = stuckAt.map { $0.checkpoint == checkpoint ? $0.count : 0 } ?? 0
    stuckAt = (checkpoint, count + 1)
    switch count {
    // The writer's own thread would wait for itself.
    case 0 where !isWritingOnThisThread: finishing.withLock {}
    case 0, 1: usleep(ProjectionKeeper.patienceInMicroseconds)
    default: return try !foldMissingCommits(orReadFrom: checkpoint)
    }
    return false
  }

  /// The time that a writer of another process needs between its two commits, with a margin.
  private static let patienceInMicroseconds: UInt32 = 200

  /// The result of an attempt to read.
  private enum Attempt<Result> {
    case answer(Result)
    /// Tables that this process has not opened yet.
    ///
    /// A snapshot cannot use tables that were opened after it began.
    case needsTables(BuiltInTablesState, in: OpenProjections)
    /// Projections behind the journal, with their checkpoint.
    ///
    /// For instance after a writer was killed between its two commits.
    case isBehind(Position?)
  }

  /// Applies what the rows of a projection lack, unless another writer has the lock: then the rows are read at their
  /// checkpoint.
  private func apply(_ missing: MissingRows) throws {
    do {
      try run(missing.projection, .current, waitingAtMost: .zero)
    } catch let error as LMDBError where error.kind == .writerBusy {
    } catch let error as StoreError where error.code == .busy {
    }
  }

  /// - Parameters:
  ///   - readsJournal: Whether projections that are behind are read under a layer with the later commits.
  ///   - applied: The projections that are read at their checkpoint, wherever it is.
  ///   - histories: Rows that are read in the place of the store's rows.
  ///   - folded: Such rows of which there is a snapshot.
  private func readOnce<Result>(
    _ readsJournal: Bool, without applied: Set<String>, with histories: ArraySlice<FoldedRows>,
    _ folded: [DerivedInstance], _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Attempt<Result> {
    if let history = histories.first {
      return try history.withRows {
        try readOnce(readsJournal, without: applied, with: histories.dropFirst(), folded + [$0], body)
      }
    }
    return try withSnapshots { projections, journal in
      guard let state = try projections.state else { return .isBehind(nil) }
      let head = try journal.head()
      let isBehind = head != state.checkpoint.position
      if isBehind {
        guard readsJournal else { return .isBehind(state.checkpoint.position) }
        // What was folded from another journal is of no use.
        guard try state.checkpoint.belongs(to: journal, head: head) else { return .isBehind(nil) }
      }
      guard let catalog = projections.opened.catalog(matching: state) else {
        return .needsTables(state, in: projections.opened)
      }
      if state.lacksGroups(of: catalog.model) { return .isBehind(nil) }
      let base = StoreReader.DerivedBase(projections: projections, applied: applied, folded: folded)
      let reader = catalog.reader(over: projections.snapshot, largeValues: journal.largeValues, plans: plans)
      if isBehind {
        let present = try State(reader: reader, dependents: catalog.dependents, position: state.checkpoint.position)
          .moved(to: head, in: journal)
        let answer = try body(StoreReader(present, journal, snapshotStore, keeper: self, derivedFrom: base))
        try reader.checkUndamaged()
        return .answer(answer)
      }
      let answer = try body(
        StoreReader(
          reader: reader, dependents: catalog.dependents, journal: journal, position: state.checkpoint.position,
          modelPosition: state.modelPosition, snapshotStore: snapshotStore,
          inverses: inverseLayers.anchored(at: state.checkpoint.hash), keeper: self, derivedFrom: base))
      // The closure may have caught a damage error, and returned what it could read.
      try reader.checkUndamaged()
      return .answer(answer)
    }
  }

  /// Opens the model and the tables of a state that another process has written.
  private func openTables(of state: BuiltInTablesState, in opened: OpenProjections) throws {
    let loader = CatalogLoader(state) { position in
      try self.files.journalEnvironment.withSnapshot {
        try LMDBJournal(snapshot: $0, tables: self.files.journalTables).model(at: position)
      }
    }
    // If a table is missing, it was replaced meanwhile: the next attempt reads another state.
    if let catalog = try loader.load(from: opened.environment) { opened.remember(catalog) }
  }
}
