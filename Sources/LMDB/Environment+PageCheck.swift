extension Environment {
  /// Checks the pages of the last commit, while readers and writers are active.
  ///
  /// It holds a read transaction throughout, so that its pages stay as they are, and the file may grow during the
  /// check.
  ///
  /// - Throws: `LMDBError` if no transaction can be begun, `busy` if other processes commit so often that the meta
  ///   pages are never stable.
  package func checkPages(
    maximumFaultCount: Int = PageCheck.defaultMaximumFaultCount
  ) throws -> PageCheck {
    try withPinnedRead(maximumFaultCount: maximumFaultCount) { $0.checkPages() }
  }

  /// Begins to read the last commit, so that its pages can be checked before they are used.
  ///
  ///     try environment.withPinnedRead { read in
  ///       guard read.checkPages().isSound else { return }
  ///       use(read.snapshot)
  ///     }
  ///
  /// While the transaction is live, no writer overwrites the commit's pages, so the map shows the same bytes that
  /// ordinary reads have checked. Only the commit's meta page can be overwritten; it is read before `body` runs.
  ///
  /// - Throws: The errors of ``checkPages(maximumFaultCount:)`` and of `body`.
  package func withPinnedRead<Result>(
    maximumFaultCount: Int = PageCheck.defaultMaximumFaultCount, _ body: (PinnedRead) throws -> Result
  ) throws -> Result {
    for _ in 0..<1000 {
      let transaction = try beginRead()
      var inspector = PageInspector(try PageSource(self), maximumFaultCount: maximumFaultCount)
      var meta: MetaPage?
      switch inspector.choose(transaction.snapshot.transactionID) {
      case .found(let found): meta = found
      case .damaged: break
      case .passed: continue
      }
      let result = try body(PinnedRead(snapshot: transaction.snapshot, inspector: inspector, meta: meta))
      transaction.end()
      return result
    }
    throw refusal(.busy, .readFile)
  }
}

/// A snapshot whose pages can be checked.
///
/// See ``Environment/withPinnedRead(maximumFaultCount:_:)``.
package struct PinnedRead {
  /// The snapshot, which must not be read before the pages were found sound.
  package let snapshot: TransactionSnapshot
  fileprivate let inspector: PageInspector
  fileprivate let meta: MetaPage?

  /// Checks all pages of the snapshot with ordinary reads.
  ///
  /// - Complexity: O(*n* log *k*) for *n* pages of *k* entries.
  package func checkPages() -> PageCheck {
    var inspector = inspector
    if let meta { inspector.inspect(meta) }
    return inspector.check
  }
}
