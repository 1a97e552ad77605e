/// A live view of the last commit at the time the transaction began.
///
///     let transaction = try environment.beginRead()
///     let value = try transaction.snapshot.value(for: key, in: table)
///
/// The transaction ends when it goes out of scope, or earlier with ``end()``.
package struct ReadTransaction: ~Copyable {
  /// The snapshot that the transaction reads.
  package let snapshot: TransactionSnapshot

  init(_ snapshot: TransactionSnapshot) { self.snapshot = snapshot }

  deinit {
    guard let transaction = unsafe snapshot.take() else { return }
    unsafe snapshot.environment.endReader(transaction, snapshot.foundTables)
  }

  /// Ends the transaction. Spans taken from the snapshot must not be used afterwards.
  package consuming func end() {}
}
