import DaybookEngine
import DaybookModel
import LMDB

/// The delta of the last commit.
///
/// It is kept with the projections from which it was read, so replaced projections take it along.
extension ProjectionKeeper {
  /// Returns the delta of the last commit without a transaction, if it is known.
  ///
  /// - Throws: `StoreError` if the store is closed.
  func knownCommitDelta() throws -> CommitDelta? {
    try lastTransactionID().flatMap(currentProjections.commitDelta)
  }

  /// Returns the number of the journal's last transaction, or `nil` while the store is being closed.
  ///
  /// - Throws: `StoreError` if the store is closed.
  func lastTransactionID() throws -> Int? {
    try files.checkOpen()
    // An environment that is closed meanwhile has no number; the transaction that follows then reports it.
    return try? files.journalEnvironment.lastTransactionID()
  }

  /// Returns the delta of the last commit that a reader sees, which is kept for other requests; `nil` if it is too large.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  func commitDelta(before reader: Reader, at position: Position, in journal: LMDBJournal) throws -> CommitDelta? {
    let projections = currentProjections
    // The reader may have begun before the projections were replaced. The delta of a commit has its own events, and not
    // what projections made of them.
    guard reader.snapshot.environment === projections.environment, !journal.isReadByOneModel else { return nil }
    let transaction = journal.snapshot.transactionID
    if let known = projections.commitDelta(madeIn: transaction) { return known }
    let changes = try journal.withCommit(at: position) { try CommitChanges($0.header, $0.body, in: reader) }
    guard let changes else { return nil }
    let delta = CommitDelta(changes, in: transaction)
    projections.keep(delta)
    return delta
  }
}
