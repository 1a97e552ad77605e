import DaybookEngine
import DaybookModel
import LMDB

/// The changes of the last commit, which all live requests share.
///
/// They are kept with the projections from which they were read, so replaced projections take them along.
extension OpenStore {
  /// Returns the changes of the last commit without a transaction, if they are known.
  ///
  /// - Throws: `StoreError` if the store is closed.
  func knownHeadChanges() throws -> CommitChanges? {
    try checkOpen()
    let projections = currentProjections
    guard let head = projections.headChanges.withLock({ $0 }) else { return nil }
    // An environment that is closed meanwhile has no number; the transaction that follows then reports it.
    guard (try? projections.environment.lastTransactionID()) == head.projectionsTransaction,
      (try? journalEnvironment.lastTransactionID()) == head.journalTransaction
    else { return nil }
    return head.changes
  }

  /// Returns the changes of a reader's last commit, which are kept for other requests; `nil` if they are too large.
  func headChanges(in reader: borrowing StoreReader) throws -> CommitChanges? {
    let projections = currentProjections
    let snapshot = reader.reader.snapshot
    // The reader may have begun before the projections were replaced.
    guard snapshot.environment === projections.environment else { return nil }
    let (first, second) = (snapshot.transactionID, reader.journal.snapshot.transactionID)
    if let head = projections.headChanges.withLock({ $0 }), head.projectionsTransaction == first,
      head.journalTransaction == second
    {
      return head.changes
    }
    let state = reader.reader
    let changes = try reader.journal.withCommit(at: reader.position) {
      try CommitChanges($0.header, $0.body, in: state)
    }
    guard let changes else { return nil }
    projections.headChanges.withLock { head in
      // A reader that began later may have been faster.
      if let head, head.projectionsTransaction > first { return }
      head = HeadChanges(changes: changes, projectionsTransaction: first, journalTransaction: second)
    }
    return changes
  }
}
