import CLMDB
import CLMDBGuard

extension Environment {
  /// Opens tables for the process.
  ///
  /// Handles stay open, so that a second call costs next to nothing. The first call for a table reads in a short
  /// transaction of its own, and waits for the write transaction of this process, because LMDB assigns the same number
  /// to two tables that are opened in overlapping transactions.
  ///
  /// This method closes the handles of tables that other processes have dropped, because they too count for
  /// ``EnvironmentOptions/maximumTables``: as soon as no transaction of this process is live, and at the latest when no
  /// handle is left.
  ///
  /// - Returns: The table for each name, or `nil` for a name without a table.
  /// - Throws: `LMDBError`: `nestedWrite` if a table that there is, is not open yet and this thread has a write
  ///   transaction, which must open it itself; `tablesFull`; the errors of ``beginRead()``.
  package func openTables(_ names: [String]) throws(LMDBError) -> [Table?] {
    if let tables = try publishedTables(names) { return tables }
    if try !hasNewRecord(names) {
      return monitor.withLock { names.map { unsafe state.tables.published[$0] } }
    }
    do throws(LMDBError) {
      try closeDroppedTables(keeping: names, waitingAtMost: .zero)
      return try openNewTables(names)
    } catch  where error.kind == .tablesFull {
      try closeDroppedTables(keeping: names, waitingAtMost: .seconds(5))
      return try openNewTables(names)
    }
  }

  private func openNewTables(_ names: [String]) throws(LMDBError) -> [Table?] {
    try beginOpeningTables()
    defer { endOpeningTables() }
    let transaction = try unsafe beginReader()
    var opened: [Table] = []
    for name in names where !isSettled(name) && !opened.contains(where: { $0.name == name }) {
      var handle: UInt32 = 0
      let code = unsafe mdb_dbi_open(transaction, name, 0, &handle)
      if code == MDB_NOTFOUND { continue }
      guard code == 0 else {
        // Aborting closes the handles opened here.
        unsafe mdb_txn_abort(transaction)
        leave()
        throw failure(code, .openTable, detail: name)
      }
      opened.append(monitor.withLock { unsafe state.tables.makeTable(name: name, handle: handle, of: self) })
    }
    // Although the transaction only read, its commit makes the handles outlive it.
    let code = unsafe mdb_txn_commit(transaction)
    leave()
    guard code == 0 else { throw failure(code, .openTable) }
    return monitor.withLock {
      for table in opened { unsafe state.tables.publish(table) }
      return names.map { unsafe state.tables.published[$0] }
    }
  }

  /// Closes the handles of tables that have no record in the last commit.
  ///
  /// Does nothing if live transactions of this process do not end within the limit.
  private func closeDroppedTables(keeping names: [String], waitingAtMost limit: Duration) throws(LMDBError) {
    try monitor.withLock { () throws(LMDBError) in
      try checkUsable(.openTable)
      guard unsafe state.writer != .current, closeGate(waitingAtMost: limit, passesWaitingWriter: true) else { return }
      defer { openGate() }
      guard unsafe !state.isClosed else { return }
      var transaction: OpaquePointer?
      let code = unsafe mdb_txn_begin(engine, nil, UInt32(bitPattern: MDB_RDONLY), &transaction)
      // The opening that follows reports the same error.
      guard code == 0, let transaction = unsafe transaction else { return }
      let dropped = unsafe state.tables.published.values.filter { table in
        unsafe !names.contains(table.name) && !hasRecord(of: table, in: transaction)
      }
      unsafe mdb_txn_abort(transaction)
      for table in dropped {
        unsafe mdb_dbi_close(engine, table.handle)
        unsafe state.tables.close(table, leavesOrphan: false)
      }
    }
  }

  /// Returns whether the last commit has a table with one of the names that this process has not opened.
  ///
  /// A table that does not exist is not waited for.
  private func hasNewRecord(_ names: [String]) throws(LMDBError) -> Bool {
    let unknown = names.filter { !isSettled($0) }
    let transaction = try beginRead()
    let snapshot = transaction.snapshot
    let hasNew = unknown.contains { snapshot.hasRecord(named: $0) }
    transaction.end()
    return hasNew
  }

  private func hasRecord(of table: Table, in transaction: OpaquePointer) -> Bool {
    var name = table.name
    return name.withUTF8 { bytes in
      var key = unsafe MDB_val(UnsafeRawBufferPointer(bytes))
      var value = unsafe MDB_val()
      // If the record cannot be read, keeping the handle is safer.
      return unsafe daybook_lmdb_get(transaction, Self.mainHandle, &key, &value) != MDB_NOTFOUND
    }
  }

  /// Returns the tables, or `nil` if the existence of one of them is not known yet.
  private func publishedTables(_ names: [String]) throws(LMDBError) -> [Table?]? {
    try monitor.withLock { () throws(LMDBError) -> [Table?]? in
      try checkUsable(.openTable)
      guard names.allSatisfy({ unsafe state.tables.published[$0] != nil || state.tables.hides($0) }) else { return nil }
      return names.map { unsafe state.tables.published[$0] }
    }
  }

  private func isSettled(_ name: String) -> Bool {
    monitor.withLock { unsafe state.tables.published[name] != nil || state.tables.hides(name) }
  }

  private func beginOpeningTables() throws(LMDBError) {
    try monitor.withLock { () throws(LMDBError) in
      while true {
        try checkUsable(.openTable)
        if unsafe state.writer == .current { throw refusal(.nestedWrite, .openTable) }
        // Checks the gate too: a thread that resizes the map must not wait for a thread that waits here.
        if unsafe state.writer == nil || state.isWriterWaiting, unsafe !state.isGateClosed,
          unsafe !state.isOpeningTables
        {
          break
        }
        monitor.wait()
      }
      unsafe state.isOpeningTables = true
    }
  }

  private func endOpeningTables() {
    monitor.withLock {
      unsafe state.isOpeningTables = false
      monitor.wakeAll()
    }
  }
}
