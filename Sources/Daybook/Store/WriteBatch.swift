import DaybookModel

/// Many commits that share one pair of LMDB transactions and one flush of the disk: what an import writes with.
///
///     try store.batch { batch in
///       for line in lines {
///         try batch.commit(CommitInfo(author: line.author)) { tx in try tx.insert("Note", ["title": .string(line.title)]) }
///       }
///     }
///
/// Each commit is a commit of its own in the journal. None of them is durable, or visible to others, before the batch
/// ends; if the batch's closure throws, none of them happened.
public struct WriteBatch: ~Copyable {
  let session: WriteSession

  /// The position of the last commit so far.
  public var head: Position { session.head }

  /// Makes a commit.
  ///
  /// If it throws, this commit leaves no trace, and the batch can go on. If `info` has a commit id that the journal or
  /// the batch knows, the closure is not run: the write was done before, and the answer is where.
  ///
  /// - Returns: The position of the commit, or the head if nothing changed; and what `body` returned, nil for a write
  ///   that was done before.
  /// - Throws: What `body` throws; `StoreError` as a write does.
  @discardableResult
  public func commit<Result>(
    _ info: CommitInfo = CommitInfo(), _ body: (borrowing Transaction) throws -> Result
  ) throws -> (position: Position, result: Result?) {
    try session.commitOnce(info, body)
  }
}

extension Store {
  /// Writes many commits with one flush.
  ///
  /// The store's write lock is held throughout, so other writers wait: keep a batch to some seconds.
  ///
  /// - Returns: What `body` returned; by then all commits are durable.
  /// - Throws: What `body` throws, and then nothing was written; `StoreError`.
  public func batch<Result>(_ body: (borrowing WriteBatch) throws -> Result) throws -> Result {
    try withSession { try body(WriteBatch(session: $0)) }
  }
}
