import CLMDB

/// How an entry is put into a table.
package enum PutMode: Hashable, Sendable {
  /// Puts the entry whether or not the key exists.
  case replace
  /// Appends after the last key; fast, and pages are filled.
  ///
  /// A key that does not rise throws `keyExists`.
  case append
  /// Inserts only if the key does not exist; throws `keyExists` otherwise.
  case insert
}

/// The changes of one commit, invisible to other transactions until then.
///
///     var transaction = try environment.beginWrite()
///     try transaction.put(key, value, in: table)
///     try transaction.commit()
///
/// It is aborted when it goes out of scope. It belongs to the thread that began it, because LMDB's lock does: on
/// another thread it traps, where LMDB would report success and block the next writer without end.
///
/// After a change that failed for lack of space the transaction can only be aborted.
package struct WriteTransaction: ~Copyable {
  /// The tables with the transaction's changes so far.
  package let snapshot: TransactionSnapshot
  let thread = ThreadIdentity.current
  var tables = TableChanges()

  init(_ snapshot: TransactionSnapshot) { self.snapshot = snapshot }

  deinit {
    guard let transaction = unsafe snapshot.take() else { return }
    precondition(thread == .current, "A write transaction was ended on another thread")
    unsafe mdb_txn_abort(transaction)
    snapshot.environment.endWriter()
  }

  /// LMDB's transaction, which must be live and used on its own thread.
  var live: OpaquePointer {
    precondition(thread == .current, "A write transaction was used on another thread")
    return unsafe snapshot.live
  }
}

extension WriteTransaction {
  /// Puts an entry.
  ///
  /// - Throws: `LMDBError`: `mapFull`, `keyExists` depending on the mode, `badValueSize` for a key that is empty or
  ///   longer than 511 bytes, `tableMissing`.
  /// - Complexity: O(log *n*)
  package mutating func put(
    _ key: RawSpan, _ value: RawSpan, in table: Table, mode: PutMode = .replace
  ) throws(LMDBError) {
    try snapshot.use(table, .putValue)
    let transaction = unsafe live
    snapshot.changeCount &+= 1
    let code = unsafe RowChecksum.put(key, value, in: table, mode.flags) { key, value, flags in
      unsafe mdb_put(transaction, table.handle, &key, &value, flags)
    }
    guard code == 0 else { throw snapshot.environment.writeFailure(code, .putValue, detail: table.name) }
  }

  /// Deletes an entry. Returns whether it existed.
  ///
  /// - Complexity: O(log *n*)
  package mutating func delete(_ key: RawSpan, in table: Table) throws(LMDBError) -> Bool {
    try snapshot.use(table, .deleteValue)
    let transaction = unsafe live
    guard !key.isEmpty else { return false }
    snapshot.changeCount &+= 1
    let code = unsafe key.withUnsafeBytes { key in
      var key = unsafe MDB_val(key)
      return unsafe mdb_del(transaction, table.handle, &key, nil)
    }
    if code == MDB_NOTFOUND { return false }
    guard code == 0 else { throw snapshot.environment.writeFailure(code, .deleteValue, detail: table.name) }
    return true
  }
}

extension WriteTransaction {
  /// Makes the changes visible and, depending on the flush option, durable.
  ///
  /// - Parameter isDurable: Whether the changes are on the disk when the call returns, whatever the flush option.
  /// - Throws: `LMDBError`. The transaction ends in this case too. No change is written, unless
  ///   `LMDBError.isUnknownOutcome` is true.
  package consuming func commit(isDurable: Bool = false) throws(LMDBError) {
    let environment = snapshot.environment
    defer { environment.endWriter() }
    // Before the lock is released, because the check examines the last commit's failure.
    try end()
    // The path is compared after the flush: a commit is acknowledged only if others can read it there.
    if let failure = (isDurable ? environment.flushRelaxedCommit() : nil) ?? environment.displacement(.commit) {
      throw failure
    }
  }

  /// Makes the changes visible, and begins the next transaction, which has the same snapshot.
  ///
  /// LMDB keeps each page that a transaction changes in memory, so much is written in several transactions. Other writers
  /// wait until the last one of them ends. Spans are valid until this call, as until a change.
  ///
  /// - Returns: Whether there is another transaction; not while a cursor is open, because a commit ends cursors.
  /// - Throws: `LMDBError`, as ``commit(isDurable:)``. The transaction ends in this case too.
  @discardableResult
  package mutating func commitAndContinue() throws(LMDBError) -> Bool {
    guard snapshot.cursorCount == 0 else { return false }
    let environment = snapshot.environment
    do {
      try end()
      try unsafe snapshot.adopt(environment.beginNextWrite())
    } catch {
      environment.endWriter()
      throw error
    }
    tables = TableChanges()
    return true
  }

  /// Commits, and keeps the locks of the writer.
  private func end() throws(LMDBError) {
    let transaction = unsafe live
    _ = unsafe snapshot.take()
    let environment = snapshot.environment
    let transactionID = unsafe mdb_txn_id(transaction)
    // LMDB frees the transaction whether it succeeds or not.
    let code = unsafe mdb_txn_commit(transaction)
    guard code == 0 else { throw environment.commitFailure(code) }
    environment.monitor.withLock { unsafe tables.publish(in: &environment.state.tables, at: transactionID) }
  }

  /// Discards the changes.
  package consuming func abort() {}
}

extension PutMode {
  fileprivate var flags: UInt32 {
    switch self {
    case .replace: 0
    case .append: UInt32(MDB_APPEND)
    case .insert: UInt32(MDB_NOOVERWRITE)
    }
  }
}
