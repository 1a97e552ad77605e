import DaybookEngine
import DaybookModel
import LMDB

/// An error for projections that the journal does not trust.
///
/// Another process has replaced the file, or a verification has found it damaged.
struct ProjectionsReplaced: Error {}

extension ProjectionKeeper {
  /// Reads both environments.
  ///
  /// The projections are opened first, so the journal always contains all commits that they have folded.
  package func withSnapshots<Result>(_ body: (ProjectionsSnapshot, LMDBJournal) throws -> Result) throws -> Result {
    try withProjections { projections in
      try files.journalEnvironment.withSnapshot { journal in
        try body(projections, LMDBJournal(snapshot: journal, tables: files.journalTables))
      }
    }
  }

  /// Calls a closure with a snapshot of the projections.
  package func withProjections<Result>(_ body: (ProjectionsSnapshot) throws -> Result) throws -> Result {
    let opened = currentProjections
    return try opened.environment.withSnapshot { try body(ProjectionsSnapshot(opened: opened, snapshot: $0)) }
  }

  /// Records in the journal that the projections are about to change in this run of the system.
  ///
  /// After a crash of the operating system they are then not trusted. So the caller must commit durably before the
  /// projections change.
  ///
  /// - Parameter present: The marker in the journal.
  /// - Returns: Whether the journal was changed.
  func markInUse(
    _ used: OpenProjections, _ present: TrustMarker?, in journal: inout WriteTransaction
  ) throws -> Bool {
    noteWriting()
    guard !isMarked(present, used) else { return false }
    try mark(used, isClean: false, in: &journal)
    return true
  }

  /// How long a process that has written commits waits, when it closes the store, for another writer.
  private static let closingTimeLimit = Duration.seconds(1)

  /// Flushes the projections and marks them as complete, if this process has changed them.
  ///
  /// A process that has only read takes no lock. If another process writes, it marks them when it closes the store; a process
  /// that wrote no commit does not wait for it.
  func markClean() {
    guard hasWritten else { return }
    do {
      let limit = journalEnd.withLock { $0 == nil } ? .zero : ProjectionKeeper.closingTimeLimit
      var journal = try files.journalEnvironment.beginWrite(waitingAtMost: limit)
      // A writer in another process releases the journal's lock before it commits the projections. Only both locks
      // together prevent changes after the flush.
      let used = currentProjections
      let transaction = try used.environment.beginWrite(waitingAtMost: limit)
      // Projections that another process has replaced need no marker.
      let present = marker(in: journal.snapshot)
      guard isCurrent(used, present), present?.isClean != true else { return }
      try mark(used, isClean: true, in: &journal)
      try used.environment.synchronize()
      transaction.abort()
      try journal.commit()
    } catch let error as LMDBError where error.kind == .writerBusy {
      files.options.logger?.info(
        "another process writes, and flushes the projections", metadata: ["store": "\(files.path)"])
    } catch {
      // The projections stay marked for this run only, and are rebuilt in the next one.
      files.options.logger?.warning(
        "could not flush projections", metadata: ["store": "\(files.path)", "error": "\(error)"])
    }
  }

  /// Whether a marker states that the projections may have changed in this run.
  ///
  /// A process that reaches the same file through another mount marks them too, so the marker's mount is irrelevant.
  func isMarked(_ marker: TrustMarker?, _ used: OpenProjections) -> Bool {
    marker.map { !$0.isClean && $0.file == used.environment.identity && $0.run.boot == volumeRun.boot } ?? false
  }

  private func mark(_ used: OpenProjections, isClean: Bool, in journal: inout WriteTransaction) throws {
    let marker = TrustMarker(run: volumeRun, file: used.environment.identity, isClean: isClean)
    try journal.putMeta(TrustMarker.key, marker.bytes, in: files.journalTables)
  }

  /// Returns the marker in the journal, or `nil` if there is none that can be read.
  func marker(in journal: TransactionSnapshot) -> TrustMarker? {
    TrustMarker.present(in: LMDBJournal(snapshot: journal, tables: files.journalTables))
  }

  /// Whether the journal trusts these projections.
  ///
  /// - Parameter marker: The marker in the journal.
  func isCurrent(_ used: OpenProjections, _ marker: TrustMarker?) -> Bool {
    marker?.file == used.environment.identity
  }

  /// - Parameter marker: The marker that a write transaction has read, so that the result stays valid.
  /// - Throws: `ProjectionsReplaced` if the journal does not trust these projections.
  func checkCurrent(_ used: OpenProjections, _ marker: TrustMarker?) throws {
    if !isCurrent(used, marker) { throw ProjectionsReplaced() }
  }
}
