import DaybookEngine
import DaybookModel
import LMDB
import WorkLimits

/// Folding of the commits that the projections lack.
extension OpenStore {
  /// Folds the commits that the projections lack, or builds the projections if they are new.
  ///
  /// If another writer has the lock, projections that are only behind stay so: that writer, or the next one, folds the
  /// commits, and readers read them from the journal.
  ///
  /// - Throws: `LMDBError` of kind `writerBusy` if there are no projections that could be read, and another writer has the
  ///   lock for longer than ``StoreOptions/readerLockTimeLimit``.
  func foldMissingCommits() throws {
    let (isCurrent, readable): (Bool, Position?) = try withSnapshots { projections, journal in
      let head = try journal.head()
      guard let checkpoint = try projections.state?.checkpoint else { return (false, nil) }
      let belongs = try checkpoint.belongs(to: journal, head: head)
      return (belongs && checkpoint.position == head, belongs ? checkpoint.position : nil)
    }
    if !isCurrent { _ = try foldMissingCommits(orReadFrom: readable) }
  }

  /// Folds the missing commits unless another writer has the lock and the projections can be read as they are.
  ///
  /// - Parameter checkpoint: The checkpoint of the projections; `nil` if they are empty.
  /// - Returns: Whether the projections are at the journal's head.
  func foldMissingCommits(orReadFrom checkpoint: Position?) throws -> Bool {
    do {
      try foldMissingCommits(waitingAtMost: checkpoint == nil ? options.readerLockTimeLimit : .zero)
      return true
    } catch let error as LMDBError where error.kind == .writerBusy && checkpoint != nil {
      return false
    }
  }

  /// Folds the missing commits under the write lock. If the map is too small, it grows.
  ///
  /// - Parameter limit: How long to wait for other writers.
  /// - Throws: `LMDBError` of kind `writerBusy`; `StoreError` if the projections are still behind, as on a full disk:
  ///   otherwise each read would find them behind again and retry endlessly.
  private func foldMissingCommits(waitingAtMost limit: Duration) throws {
    // No limit of the caller ends it, because the next caller would begin again.
    try WorkLimit.suspending {
      try growing {
        let opened = currentProjections
        let journal = try JournalWriter(self, changing: opened, waitingAtMost: limit)
        let projections = try ProjectionsWriter(
          self, opened, behind: journal, largeValues: LargeValueStage(over: LargeValueTable(journalEnvironment)),
          waitingAtMost: limit)
        try projections.beginRuns(behind: journal)
        if let failure = try commitFolded(journal, projections) { throw failure }
      }
    }
  }

  /// Commits a pair of transactions in which missing commits were folded, and none was added.
  ///
  /// - Returns: The error that prevented the projections from being committed, or `nil`.
  func commitFolded(_ journal: JournalWriter, _ projections: ProjectionsWriter) throws -> LMDBError? {
    try projections.finishRows(journal, [])
    options.probe?(.beforeJournalCommit)
    let failure = try commit(journal, projections).failure
    if projections.didChange { observer?.noteCommits([]) }
    projections.performEffects()
    return failure
  }

  /// Commits the journal, and then the projections.
  ///
  /// - Parameter didFlush: Called between the two, when the commits are durable, with the journal's transaction.
  /// - Returns: The error that prevented the projections from being committed, or `nil`; and how long both took.
  /// - Throws: The errors of ``JournalWriter/commit()``.
  func commit(
    _ journal: JournalWriter, _ projections: ProjectionsWriter, didFlush: (Int) -> Void = { _ in }
  ) throws -> (failure: LMDBError?, flush: Duration, fold: Duration) {
    try finishing.withLock { _ in
      let clock = ContinuousClock()
      let transaction = journal.reader.snapshot.transactionID
      let flush = try clock.measure { try journal.commit() }
      options.momentProbe?(.flushed)
      didFlush(transaction)
      var failure: LMDBError?
      let fold = clock.measure { failure = projections.commit() }
      return (failure, flush, fold)
    }
  }
}
