import DaybookEngine
import DaybookModel
import LMDB
import WorkLimits

/// Folding of the commits that the projections lack.
extension ProjectionKeeper {
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
      try foldMissingCommits(waitingAtMost: checkpoint == nil ? files.options.readerLockTimeLimit : .zero)
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
          self, opened, behind: journal, largeValues: LargeValueStage(over: LargeValueTable(files.journalEnvironment)),
          waitingAtMost: limit)
        try projections.beginRuns(behind: journal)
        if let failure = try commit(journal, projections).failure { throw failure }
      }
    }
  }

  /// What became of a pair of transactions.
  struct CommitOutcome {
    /// The error that prevented the projections from being committed: they are behind the journal then.
    let failure: LMDBError?
    /// How long the journal's flush took, and how long the work on the projections.
    let (flush, fold): (Duration, Duration)
  }

  /// Commits the journal, and then the projections.
  ///
  /// - Parameters:
  ///   - commits: The commits in both; none if only missing commits were folded.
  ///   - willCommit: Called when all rows are written, and nothing is durable.
  ///   - didFlush: Called when the commits are durable, before the projections are committed, with the journal's
  ///     transaction.
  ///   - didCommit: Called when readers of the projections see the commits, before effects run.
  /// - Throws: The errors of `willCommit` and of ``JournalWriter/commit()``; nothing is committed then.
  func commit(
    _ journal: JournalWriter, _ projections: ProjectionsWriter, of commits: [PendingCommit] = [],
    willCommit: () throws -> Void = {}, didFlush: (Int) -> Void = { _ in },
    didCommit: (CommitOutcome) -> Void = { _ in }
  ) throws -> CommitOutcome {
    let start = ContinuousClock.now
    try projections.finishRows(journal, commits)
    let writing = ContinuousClock.now - start
    try willCommit()
    files.options.probe?(.beforeJournalCommit)
    let outcome = try finishing.withLock { _ in
      let transaction = journal.reader.snapshot.transactionID
      let flushStart = ContinuousClock.now
      try journal.commit()
      let flush = ContinuousClock.now - flushStart
      files.options.momentProbe?(.flushed)
      didFlush(transaction)
      let foldStart = ContinuousClock.now
      let failure = projections.commit()
      return CommitOutcome(failure: failure, flush: flush, fold: writing + (ContinuousClock.now - foldStart))
    }
    if projections.didChange, commits.isEmpty { observer?.projectionsDidChange() }
    didCommit(outcome)
    projections.performEffects()
    return outcome
  }
}
