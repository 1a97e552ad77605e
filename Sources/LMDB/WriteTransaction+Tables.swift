import CLMDB

extension WriteTransaction {
  /// Opens a table for this transaction and, once it commits, for the process.
  ///
  /// - Parameter create: Whether to create a missing table.
  /// - Returns: The table, or `nil` if it is missing and `create` is false.
  /// - Throws: `LMDBError`: `tablesFull`, `mapFull`, `incompatible` if the name belongs to something else; `busy` if
  ///   another process dropped the table and readers of this process prevent creating it again.
  package mutating func openTable(_ name: String, create: Bool) throws(LMDBError) -> Table? {
    precondition(!name.isEmpty && !name.utf8.contains(0), "A table's name is neither empty nor contains zero bytes")
    let transaction = unsafe live
    if let table = tables.opened[name] { return table }
    let (known, isHidden) = knownTable(name)
    guard create || !isHidden else { return nil }
    if let known {
      if snapshot.hasRecord(named: name) { return isHidden ? revive(known) : known }
      guard create else { return nil }
      // LMDB would return the open handle without creating the record.
      try closeHandle(of: known)
    }
    if create { try removeRetiredTables() }
    return try unsafe openHandle(name, create: create, transaction)
  }

  private func knownTable(_ name: String) -> (table: Table?, isHidden: Bool) {
    let environment = snapshot.environment
    return environment.monitor.withLock {
      let directory = unsafe environment.state.tables
      let retired = tables.retired[name] ?? directory.retired[name]?.table
      return (retired ?? directory.published[name], retired != nil || directory.hides(name))
    }
  }

  /// Reopens a dropped table whose handle is still open. It is empty, like a new one.
  private mutating func revive(_ table: Table) -> Table {
    snapshot.note(table)
    tables.open(table)
    return table
  }

  private mutating func openHandle(
    _ name: String, create: Bool, _ transaction: OpaquePointer
  ) throws(LMDBError) -> Table? {
    var handle: UInt32 = 0
    let environment = snapshot.environment
    let code = unsafe mdb_dbi_open(transaction, name, create ? UInt32(MDB_CREATE) : 0, &handle)
    if code == MDB_NOTFOUND, !create { return nil }
    guard code == 0 else { throw environment.failure(code, .openTable, detail: name) }
    if create { snapshot.changeCount &+= 1 }
    let table = environment.monitor.withLock {
      unsafe environment.state.tables.makeTable(name: name, handle: handle, of: environment)
    }
    snapshot.note(table)
    tables.open(table)
    return table
  }

  /// Returns the names of all tables, except dropped ones.
  package mutating func tableNames() throws(LMDBError) -> [String] {
    let tables = tables
    return try snapshot.recordNames { name, isHidden in
      tables.opened[name] != nil || !(isHidden || tables.hides(name))
    }
  }
}

extension WriteTransaction {
  /// Deletes all entries of a table.
  ///
  /// - Complexity: O(*n*) for *n* pages.
  package mutating func clear(_ table: Table) throws(LMDBError) {
    try empty(table, .clearTable)
  }

  /// Deletes a table with all its entries.
  ///
  /// Readers of older snapshots still see the table. A handle that other transactions of this process may be using is
  /// kept, with an empty record in the file, until a later transaction that opens or drops a table finds no live
  /// reader; until then other processes see an empty table, which this process hides. See `TableDirectory`.
  ///
  /// - Complexity: O(*n*) for *n* pages.
  package mutating func drop(_ table: Table) throws(LMDBError) {
    try empty(table, .dropTable)
    if snapshot.environment.monitor.withLock({ unsafe snapshot.environment.state.tables.isOpen(table) }) {
      snapshot.refuse(table)
      tables.retire(table)
    } else {
      try removeRecord(of: table)
      tables.remove(table.name)
    }
    try removeRetiredTables()
  }

  private mutating func empty(_ table: Table, _ operation: LMDBError.Operation) throws(LMDBError) {
    try snapshot.use(table, operation)
    let transaction = unsafe live
    snapshot.changeCount &+= 1
    let code = unsafe mdb_drop(transaction, table.handle, 0)
    guard code == 0 else { throw snapshot.environment.failure(code, operation, detail: table.name) }
  }

  /// Removes the record and closes the handle, which must not be in use elsewhere.
  private func removeRecord(of table: Table) throws(LMDBError) {
    snapshot.changeCount &+= 1
    let code = unsafe mdb_drop(live, table.handle, 1)
    guard code == 0 else { throw snapshot.environment.failure(code, .dropTable, detail: table.name) }
    snapshot.forget(table)
  }

  /// Closes the handle of a table whose record another process removed.
  private func closeHandle(of table: Table) throws(LMDBError) {
    let environment = snapshot.environment
    try environment.monitor.withLock { () throws(LMDBError) in
      guard unsafe environment.state.useCount == 0 else {
        throw environment.refusal(.busy, .openTable, detail: table.name)
      }
      unsafe mdb_dbi_close(environment.engine, table.handle)
      unsafe environment.state.tables.close(table, leavesOrphan: false)
    }
    snapshot.forget(table)
  }
}

extension WriteTransaction {
  /// Completes earlier drops where no reader prevents it.
  private mutating func removeRetiredTables() throws(LMDBError) {
    let environment = snapshot.environment
    // Only the writer changes the directory.
    let directory = environment.monitor.withLock { unsafe environment.state.tables }
    for retired in directory.retired.values where tables.opened[retired.table.name] == nil {
      try remove(retired.table)
    }
    for name in directory.orphans where tables.opened[name] == nil && !tables.removed.contains(name) {
      try removeOrphan(name)
    }
  }

  /// Removes a retired table, unless a reader of this process is live.
  ///
  /// The monitor keeps new readers from beginning during the removal.
  private mutating func remove(_ table: Table) throws(LMDBError) {
    let environment = snapshot.environment
    let isRemoved = try environment.monitor.withLock { () throws(LMDBError) -> Bool in
      guard unsafe environment.state.useCount == 0 else { return false }
      // If another process removed the record, LMDB would fail the whole transaction.
      if snapshot.hasRecord(named: table.name) {
        guard isEmpty(table) else { return false }
        try removeRecord(of: table)
      } else {
        unsafe mdb_dbi_close(environment.engine, table.handle)
        snapshot.forget(table)
      }
      unsafe environment.state.tables.close(table, leavesOrphan: true)
      return true
    }
    if isRemoved { tables.remove(table.name) }
  }

  private mutating func removeOrphan(_ name: String) throws(LMDBError) {
    guard let table = try unsafe openHandle(name, create: false, live), isEmpty(table) else { return }
    try removeRecord(of: table)
    tables.remove(name)
  }

  /// Returns whether a table is empty.
  ///
  /// A table with entries is in use by another process and must stay.
  private func isEmpty(_ table: Table) -> Bool {
    var figures = MDB_stat()
    return unsafe mdb_stat(live, table.handle, &figures) == 0 && figures.ms_entries == 0
  }
}
