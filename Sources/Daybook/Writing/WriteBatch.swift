import DaybookModel

/// Many commits, for an import, that share one pair of LMDB transactions and one disk flush.
///
///     try store.batch { batch in
///       for line in lines {
///         try batch.commit(CommitInfo(author: line.author)) { tx in try tx.insert("Note", ["title": .string(line.title)]) }
///       }
///     }
///
/// Each commit is a separate commit in the journal. None of them is durable, or visible to other readers, before the
/// batch ends; if the batch's closure throws, none of them is written.
public struct WriteBatch: ~Copyable {
  let session: WriteSession

  /// The position of the last commit so far.
  public var head: Position { session.head }

  /// Makes a commit.
  ///
  /// If it throws, this commit is not written, and the batch can continue. If `info` has a commit id that the journal
  /// or the batch contains, the closure is not run, and the known position is returned.
  ///
  /// - Returns: The position of the commit, or the head if nothing changed; and the result of `body`, `nil` if the
  ///   commit existed before.
  /// - Throws: Any error of `body`; `StoreError` as a write does.
  @discardableResult
  public func commit<Result>(
    _ info: CommitInfo = CommitInfo(), _ body: (borrowing Transaction) throws -> Result
  ) throws -> (position: Position, result: Result?) {
    try session.commitOnce(info, body)
  }
}
