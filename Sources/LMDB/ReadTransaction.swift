/// A live view of the last commit at the time it began.
///
///     let transaction = try environment.beginRead()
///     let value = try transaction.snapshot.value(for: key, in: table)
///
/// It ends when it goes out of scope, or earlier with ``end()``.
package struct ReadTransaction: ~Copyable {
  /// What it reads.
  package let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  deinit {
    guard let transaction = snapshot.take() else { return }
    snapshot.environment.endReader(transaction)
  }

  /// Ends it. Spans taken from the snapshot must not be used any more.
  package consuming func end() {}
}
