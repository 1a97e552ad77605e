import CLMDB
import CLMDBGuard
import WorkLimits

/// The tables as one transaction sees them.
///
/// Both kinds of transactions have a snapshot. It may be copied while its transaction is live; after the transaction
/// has ended, each use traps. It may be used by one thread at a time.
///
/// A returned span points into the map. It is valid until the transaction ends and, in a write transaction, until the
/// next change of any table. The compiler ties a span to the snapshot, not to the transaction, so it does not detect a
/// transaction that ends too early: read inside a closure that ends the transaction after it.
@safe
package final class TransactionSnapshot {
  package let environment: Environment
  // A cursor reads the next three at each step, and the check for overlapping access took a third of a scan's time.
  // They are single words, used by one thread, and never lent.
  /// LMDB's transaction, or `nil` after it has ended.
  @exclusivity(unchecked) @usableFromInline private(set) var transaction: OpaquePointer?
  /// Whether the snapshot belongs to a write transaction and therefore sees its changes.
  package let isWritable: Bool
  /// Counts the changes made through the write transaction; cursors compare it.
  @safe @exclusivity(unchecked) @usableFromInline var changeCount = 0
  /// The number of open cursors of a write transaction, which its end would free.
  @safe @exclusivity(unchecked) var cursorCount = 0
  /// The tables with serials below 64 that are known to exist here, as bits.
  @safe @exclusivity(unchecked) @usableFromInline var knownTables: UInt64 = 0
  /// What other readers of this commit had found when the transaction began.
  private let foundBefore: FoundTables
  /// Where the file is in memory, or `nil` if that is not known.
  ///
  /// The map cannot be resized while the transaction is live.
  private(set) lazy var fileMap = unsafe environment.fileMap(live)
  /// The number of steps until the present limit of work is checked.
  @safe @exclusivity(unchecked) @usableFromInline var stepsLeft = WorkCounter.interval
  private var furtherKnownTables: [Table] = []
  /// Tables that the transaction dropped.
  private var refusedTables: [Table] = []

  /// Whether a damaged row or page was read here.
  ///
  /// It stays set even if a caller catches the error.
  @safe @exclusivity(unchecked) package private(set) var hasMetDamage = false

  /// Creates the snapshot of a write transaction.
  init(_ environment: Environment, _ transaction: OpaquePointer) {
    self.environment = environment
    unsafe self.transaction = unsafe transaction
    isWritable = true
    foundBefore = FoundTables(transactionID: 0, serials: 0, version: 0)
  }

  /// Creates the snapshot of a read transaction.
  ///
  /// - Parameter found: What other readers of the same commit have found.
  init(_ environment: Environment, _ transaction: OpaquePointer, _ found: FoundTables) {
    self.environment = environment
    unsafe self.transaction = unsafe transaction
    isWritable = false
    foundBefore = found
    knownTables = found.serials
  }

  /// The tables that this read transaction and the earlier readers of its commit have found.
  var foundTables: FoundTables {
    var tables = foundBefore
    tables.serials |= knownTables
    return tables
  }

  /// Whether the transaction has not ended.
  package var isLive: Bool { unsafe transaction != nil }

  /// The number of the commit in view; in a write transaction, the number of its future commit.
  package var transactionID: Int { unsafe mdb_txn_id(live) }

  /// LMDB's transaction, which must be live.
  @inlinable
  var live: OpaquePointer {
    guard let transaction = unsafe transaction else {
      preconditionFailure("A snapshot was used after its transaction had ended")
    }
    return unsafe transaction
  }

  /// Continues with the transaction after the one that was taken.
  func adopt(_ next: OpaquePointer) {
    unsafe precondition(transaction == nil && isWritable, "Only an ended write transaction is continued")
    unsafe transaction = unsafe next
    changeCount &+= 1
  }

  /// Removes and returns the transaction, so that it is ended exactly once.
  func take() -> OpaquePointer? {
    defer { unsafe transaction = nil }
    return unsafe transaction
  }
}

extension TransactionSnapshot {
  /// Creates an error from a return code of LMDB, and records damage.
  @usableFromInline
  func failure(_ code: CInt, _ operation: LMDBError.Operation, detail: String = "") -> LMDBError {
    note(environment.failure(code, operation, detail: detail))
  }

  /// Creates the error for a damaged row, and records the damage.
  package func damage(_ operation: LMDBError.Operation, detail: String = "") -> LMDBError {
    note(environment.refusal(.checksumMismatch, operation, detail: detail))
  }

  func note(_ error: LMDBError) -> LMDBError {
    if error.isDamage { hasMetDamage = true }
    return error
  }
}

extension TransactionSnapshot {
  /// Counts a step of reading, and checks the present limit of work from time to time: see `WorkLimit`.
  ///
  /// All that is read through a transaction is counted by itself; what is read from memory instead calls this.
  ///
  /// - Throws: `LMDBError` of kind `timeLimit` or `cancelled`.
  @inlinable
  @inline(__always)
  package func countStep() throws(LMDBError) {
    stepsLeft -= 1
    if stepsLeft <= 0 { try checkWork() }
  }

  @usableFromInline
  @inline(never)
  func checkWork() throws(LMDBError) {
    stepsLeft = WorkCounter.interval
    do {
      try WorkLimit.check()
    } catch {
      throw LMDBError(error, .readValue, path: environment.path)
    }
  }
}

extension TransactionSnapshot {
  /// Returns the value of a key, or `nil` if the table does not have the key.
  ///
  /// - Throws: `LMDBError`: `tableMissing` if the table does not exist in this snapshot; `checksumMismatch` if the
  ///   value of a table with checksums is damaged.
  /// - Complexity: O(log *n*)
  @_lifetime(borrow self)
  @inlinable
  package func value(for key: RawSpan, in table: Table) throws(LMDBError) -> RawSpan? {
    try use(table, .readValue)
    try countStep()
    // LMDB refuses an empty key, which no table can have.
    guard !key.isEmpty else { return nil }
    var found = unsafe MDB_val()
    let code = unsafe key.withUnsafeBytes { bytes in
      var wanted = unsafe MDB_val(bytes)
      return unsafe daybook_lmdb_get(live, table.handle, &wanted, &found)
    }
    if code == MDB_NOTFOUND { return nil }
    guard code == 0 else { throw failure(code, .readValue, detail: table.name) }
    if table.hasChecksums {
      let isWhole = unsafe key.withUnsafeBytes { unsafe RowChecksum.open(MDB_val($0), &found) }
      if !isWhole { throw damage(.readValue, detail: table.name) }
    }
    return unsafe _overrideLifetime(found.unsafeSpan, borrowing: self)
  }

  /// Returns the value of a key in an array, or `nil` if the table does not have the key.
  @_lifetime(borrow self)
  package func value(for key: [UInt8], in table: Table) throws(LMDBError) -> RawSpan? {
    try value(for: key.rawSpan, in: table)
  }

  /// Verifies that a key which was not found is absent: see ``Cursor/seekProving(atOrAfter:)``.
  ///
  /// Does nothing for a table without checksums.
  ///
  /// - Throws: `LMDBError` of kind `checksumMismatch` if a damaged entry may hide the key.
  /// - Complexity: O(log *n*)
  package func proveAbsence(of key: RawSpan, in table: Table) throws(LMDBError) {
    guard table.hasChecksums else { return }
    var cursor = try makeCursor(in: table)
    _ = try cursor.seekProving(atOrAfter: key)
  }

  /// Returns whether the snapshot has a table, whose handle may have been opened after it began.
  package func has(_ table: Table) -> Bool {
    do {
      try use(table, .openCursor)
      return true
    } catch {
      return false
    }
  }

  /// Returns a cursor, which stands nowhere.
  package func makeCursor(in table: Table) throws(LMDBError) -> Cursor {
    try use(table, .openCursor)
    var cursor: OpaquePointer?
    let code = unsafe mdb_cursor_open(live, table.handle, &cursor)
    guard code == 0, let cursor = unsafe cursor else { throw failure(code, .openCursor, detail: table.name) }
    return unsafe Cursor(self, cursor, hasChecksums: table.hasChecksums)
  }

  /// Returns an editor of a table, which stands nowhere. It must not be used after the transaction has ended.
  ///
  /// - Precondition: The snapshot is a write transaction's.
  package func makeEditor(of table: Table) throws(LMDBError) -> TableEditor {
    precondition(isWritable, "Only a write transaction can change rows")
    try use(table, .openCursor)
    var cursor: OpaquePointer?
    let code = unsafe mdb_cursor_open(live, table.handle, &cursor)
    guard code == 0, let cursor = unsafe cursor else { throw failure(code, .openCursor, detail: table.name) }
    return unsafe TableEditor(self, cursor, table)
  }

  /// Returns the number of entries of a table.
  ///
  /// - Complexity: O(1)
  package func entryCount(in table: Table) throws(LMDBError) -> Int {
    try statistics(in: table).entryCount
  }

  /// Returns the shape of a table's tree.
  ///
  /// - Complexity: O(1)
  package func statistics(in table: Table) throws(LMDBError) -> TableStatistics {
    try use(table, .useTable)
    var figures = MDB_stat()
    let code = unsafe mdb_stat(live, table.handle, &figures)
    guard code == 0 else { throw environment.failure(code, .useTable, detail: table.name) }
    // The counts come from the file, so no value of them may trap.
    let pageCount = figures.ms_branch_pages &+ figures.ms_leaf_pages &+ figures.ms_overflow_pages
    return TableStatistics(
      depth: Int(figures.ms_depth), branchPageCount: figures.ms_branch_pages, leafPageCount: figures.ms_leaf_pages,
      overflowPageCount: figures.ms_overflow_pages, entryCount: figures.ms_entries,
      sizeInBytes: pageCount &* Int(figures.ms_psize))
  }

  /// Returns the names of all tables, except the ones dropped in this process.
  ///
  /// - Complexity: O(*n*) for *n* tables.
  package func tableNames() throws(LMDBError) -> [String] {
    try recordNames { _, isHidden in !isHidden }
  }

  /// Returns the filtered keys of the unnamed table.
  ///
  /// The closure receives a name and whether the process hides it.
  func recordNames(where isIncluded: (String, Bool) -> Bool) throws(LMDBError) -> [String] {
    var pointer: OpaquePointer?
    let code = unsafe mdb_cursor_open(live, Environment.mainHandle, &pointer)
    guard code == 0, let pointer = unsafe pointer else { throw environment.failure(code, .listTables) }
    // LMDB itself writes the records of tables, without checksums.
    var cursor = unsafe Cursor(self, pointer, hasChecksums: false)
    var names: [String] = []
    while try cursor.moveToNext() {
      unsafe names.append(cursor.key.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) })
    }
    let directory = environment.monitor.withLock { unsafe environment.state.tables }
    return names.filter { isIncluded($0, directory.hides($0)) }
  }
}

extension TransactionSnapshot {
  /// Checks that a table exists here, at its first use.
  ///
  /// LMDB does not check: it reads no entries from a table that another process dropped, and writing to such a table
  /// damages the file.
  @inlinable
  func use(_ table: Table, _ operation: LMDBError.Operation) throws(LMDBError) {
    unsafe precondition(transaction != nil, "A snapshot was used after its transaction had ended")
    guard table.owner == environment.number, table.serial < 64, knownTables & (1 &<< UInt64(table.serial)) != 0
    else {
      return try lookUp(table, operation)
    }
  }

  @usableFromInline
  func lookUp(_ table: Table, _ operation: LMDBError.Operation) throws(LMDBError) {
    if furtherKnownTables.contains(table) { return }
    guard table.owner == environment.number, isOpen(table), hasRecord(named: table.name) else {
      throw environment.refusal(.tableMissing, operation, detail: table.name)
    }
    note(table)
  }

  /// Records that a table exists here.
  func note(_ table: Table) {
    refusedTables.removeAll { $0 == table }
    if table.serial < 64 { knownTables |= 1 &<< UInt64(table.serial) } else { furtherKnownTables.append(table) }
  }

  /// Removes a table from the known tables.
  func forget(_ table: Table) {
    if table.serial < 64 { knownTables &= ~(1 &<< UInt64(table.serial)) }
    furtherKnownTables.removeAll { $0 == table }
  }

  /// Records that a table was dropped here.
  func refuse(_ table: Table) {
    forget(table)
    refusedTables.append(table)
  }

  /// Returns whether the handle is the table's, and was opened before the transaction began.
  private func isOpen(_ table: Table) -> Bool {
    let transactionID = transactionID
    var flags: UInt32 = 0
    return unsafe !refusedTables.contains(table)
      && environment.monitor.withLock { unsafe environment.state.tables.contains(table, at: transactionID) }
      && mdb_dbi_flags(live, table.handle, &flags) == 0
  }

  /// Returns the record of a table as it was committed, or `nil` if it has none.
  func record(of table: Table) -> TableRecord? {
    var name = table.name
    return name.withUTF8 { bytes in
      var key = unsafe MDB_val(UnsafeRawBufferPointer(bytes))
      var record = unsafe MDB_val()
      guard unsafe daybook_lmdb_get(live, Environment.mainHandle, &key, &record) == 0 else { return nil }
      let stored = unsafe UnsafeRawBufferPointer(start: record.mv_data, count: record.mv_size)
      return unsafe TableRecord(PageBytes(bytes: Array(stored)), at: 0)
    }
  }

  func hasRecord(named name: String) -> Bool {
    var name = name
    return name.withUTF8 { bytes in
      var key = unsafe MDB_val(UnsafeRawBufferPointer(bytes))
      var record = unsafe MDB_val()
      return unsafe daybook_lmdb_get(live, Environment.mainHandle, &key, &record) == 0
    }
  }
}

extension MDB_val {
  /// Wraps bytes for LMDB, which only reads through the keys and values passed to it.
  @inlinable
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// The bytes as a span, which the caller must tie to the owner of the bytes.
  @inlinable
  var unsafeSpan: RawSpan {
    @_lifetime(immortal)
    get {
      let bytes = unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), copying: ())
    }
  }
}

extension TransactionSnapshot {
  /// Returns the value of a key like ``value(for:in:)``.
  ///
  /// The bytes stay valid until the row is changed or the transaction ends.
  package func unsafeValue(for key: RawSpan, in table: Table) throws(LMDBError) -> UnsafeBytes? {
    guard let value = try value(for: key, in: table) else { return nil }
    return unsafe value.withUnsafeBytes { unsafe UnsafeBytes($0) }
  }
}
