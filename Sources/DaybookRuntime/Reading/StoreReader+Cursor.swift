import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the cursor of a consumer that has the results of this reader, or of an earlier position of its rows.
  ///
  /// - Parameter time: The time of the results, if they depend on it.
  package func cursor(at position: Position, time: Timestamp? = nil) throws -> FeedCursor {
    try completed(FeedCursor(position: position, stamp: position > .empty ? stamp : nil, time: time))
  }

  /// Returns a cursor with the hash of its commit.
  package func completed(_ cursor: FeedCursor) throws -> FeedCursor {
    guard cursor.position > .empty else { return .start }
    let hash = try journal.header(at: cursor.position).hash
    return FeedCursor(position: cursor.position, hash: hash, stamp: cursor.stamp, time: cursor.time)
  }

  /// Returns whether the journal has the commit of a cursor, or may yet receive it.
  package func hasCommit(of cursor: FeedCursor) throws -> Bool {
    guard let hash = cursor.hash, cursor.position > .empty, cursor.position <= position else { return true }
    return try completed(cursor).hash == hash
  }
}
