import DaybookEngine
import DaybookModel
import LMDB

/// Folds a journal from its start into temporary tables.
///
/// Each event is compared with the state before it, and at the end the tables are what the store's own must be.
struct StateFolding {
  let findings: JournalFindings
  /// The directory of the temporary tables.
  let storage: TemporaryStorage
  let memoryLimit: Int
  let faults: FaultList
  let progress: ((StoreProgress) -> Void)?

  /// The results of the comparison.
  struct Outcome {
    var rowCount = 0
    var notes: [String] = []
  }

  /// Folds the sound part of the journal, and compares the projections at their checkpoint.
  func run(comparing subject: ProjectionsCheck?) throws -> Outcome {
    try storage.withTables { try run(comparing: subject, with: $0, &$1) }
  }

  private func run(
    comparing subject: ProjectionsCheck?, with folded: BuiltInTables, _ transaction: inout WriteTransaction
  ) throws -> Outcome {
    var outcome = Outcome()
    let checkpoint = try subject?.checkpoint(&outcome.notes)
    let end = findings.lastSound
    guard try fold(from: 1, through: checkpoint ?? end, into: folded, &transaction) else { return outcome }
    guard try buildIndexes(at: checkpoint ?? end, in: folded, &transaction) else { return outcome }
    if let subject, checkpoint != nil {
      var comparison = TableComparison(
        subject: subject, folded: transaction.snapshot, faults: faults, progress: progress)
      outcome.rowCount = try comparison.run(folded)
    }
    if let checkpoint, checkpoint < end {
      _ = try fold(from: checkpoint.next, through: end, into: folded, &transaction)
    }
    return outcome
  }

  private func catalog(at position: Position, _ tables: BuiltInTables) -> Catalog? {
    findings.model(at: position).map {
      Catalog(modelPosition: $0.position, model: $0.model, generations: [], tables: tables)
    }
  }

  /// Folds commits, checking each event first; stops at the first event that cannot be folded.
  ///
  /// - Returns: Whether all commits were folded and the journal has no fault.
  private func fold(
    from first: Position, through last: Position, into tables: BuiltInTables,
    _ transaction: inout WriteTransaction
  ) throws -> Bool {
    guard last >= first, let catalog = catalog(at: last, tables) else { return true }
    let layer = Layer()
    let reader = catalog.reader(over: transaction.snapshot, layers: [layer])
    var check = EventCheck(model: catalog.model, faults: faults)
    var isWhole = true
    _ = try builder(catalog, head: last).foldEvents(from: first, reader, layer, &transaction) { commit, fold in
      isWhole = try apply(commit, fold, &check)
      return isWhole && !faults.isFull
    }
    return isWhole && !faults.concerns(.journal)
  }

  private func apply(_ commit: CommitView, _ fold: Fold, _ check: inout EventCheck) throws -> Bool {
    let (position, time) = (commit.header.position, commit.header.time)
    check.beginCommit(at: position, model: findings.model(at: position)?.model ?? check.model)
    var events = commit.events
    do {
      while !events.isAtEnd {
        let event = try events.next()
        try check.check(event, fold)
        try fold.apply(event, position: position, time: time, direction: .forward)
      }
      try check.finishCommit(fold)
      try check.reportCycles(fold)
      return true
    } catch let fault as ProjectionFault {
      faults.report(position, event: check.eventNumber, fault.description)
    } catch let fault as MalformedBytes {
      faults.report(position, event: check.eventNumber, "it cannot be read: \(fault)")
    }
    faults.summary.isJournalFoldable = false
    return false
  }

  private func buildIndexes(
    at position: Position, in tables: BuiltInTables, _ transaction: inout WriteTransaction
  ) throws -> Bool {
    guard let catalog = catalog(at: position, tables) else { return false }
    let layer = Layer()
    let reader = catalog.reader(over: transaction.snapshot, layers: [layer])
    do {
      let violations = try builder(catalog, head: position).buildIndexes(reader, layer, &transaction)
      for violation in violations {
        faults.report(.journal, "the state at \(position)", StoreError(violation, in: catalog.model).message)
      }
      // A commit of a model may have made a relationship acyclic that leads in a cycle.
      let cycles = try reader.cycles()
      for cycle in cycles {
        faults.report(.journal, "the state at \(position)", cycle.description(in: catalog.model))
      }
      return violations.isEmpty && cycles.isEmpty
    } catch let error as MalformedBytes {
      faults.report(.journal, "the state at \(position)", "a record cannot be read: \(error)")
    }
    return false
  }

  private func builder(_ catalog: Catalog, head: Position) -> TableBuilder {
    TableBuilder(
      journal: findings.journal, head: head, catalog: catalog, memoryLimit: memoryLimit,
      progress: StoreProgress.reporter(progress))
  }
}
