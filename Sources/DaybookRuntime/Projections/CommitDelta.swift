import DaybookEngine
import DaybookModel

/// What one small commit changes, which all followed requests share.
///
/// It is made once: by the commit's writer, before the flush, or by the first request that reads the commit.
final class CommitDelta: Sendable {
  let changes: CommitChanges
  private let made: Locked<Int?>

  /// - Parameter transaction: The journal's transaction that made the commit; `nil` while the commit is being flushed.
  init(_ changes: CommitChanges, in transaction: Int? = nil) {
    self.changes = changes
    made = Locked(transaction)
  }

  /// The position of the commit.
  var position: Position { changes.position }

  /// The journal's transaction that made the commit, or `nil` before the commit is in the journal.
  ///
  /// While it is the journal's last one, the commit is the last one, too.
  var transaction: Int? { made.withLock { $0 } }

  /// Records that the commit is in the journal.
  func confirm(in transaction: Int) { made.withLock { $0 = transaction } }
}
