import CLMDB
import CLMDBGuard

extension WriteTransaction {
  /// Applies all entries of a memory table.
  ///
  /// It writes in key order through one cursor: neighbouring keys share a page that is found once and copied once. Keys
  /// after the table's last key are appended, so that an empty table is filled with full pages.
  ///
  /// - Throws: `LMDBError`, as ``put(_:_:in:mode:)`` does. The changes before the failed one stay applied.
  /// - Complexity: O(*m* log *n*) for *m* changes, and nearer to O(*m*) the closer together they are.
  package mutating func flush(_ changes: MemoryTable, into table: Table) throws(LMDBError) {
    try flush(changes, into: table, isNoting: false) { (_, _) throws(LMDBError) in }
  }

  /// Applies all entries of a memory table like ``flush(_:into:)``, and calls a closure for each row that appears or
  /// disappears.
  ///
  /// A value for a key that has a row, and a deletion of a missing row, are not noted.
  ///
  /// - Parameter note: Called in key order, directly after the change of the row. It may read this table, and change
  ///   other tables with a ``TableEditor``.
  /// - Throws: `LMDBError`, as ``flush(_:into:)`` does; the errors of the closure.
  package mutating func flush(
    _ changes: MemoryTable, into table: Table,
    noting note: (_ key: RawSpan, _ isInserted: Bool) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try flush(changes, into: table, isNoting: true, note)
  }

  private mutating func flush(
    _ changes: MemoryTable, into table: Table, isNoting: Bool,
    _ note: (_ key: RawSpan, _ isInserted: Bool) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try snapshot.use(table, .putValue)
    let transaction = unsafe live
    guard !changes.isEmpty else { return }
    snapshot.changeCount &+= 1
    var pointer: OpaquePointer?
    let code = unsafe mdb_cursor_open(transaction, table.handle, &pointer)
    guard code == 0, let pointer = unsafe pointer else {
      throw snapshot.environment.failure(code, .openCursor, detail: table.name)
    }
    defer { unsafe mdb_cursor_close(pointer) }
    var target = unsafe FlushTarget(cursor: pointer, of: table, isNoting: isNoting)
    var source = changes.makeCursor()
    while source.moveToNext() {
      source.prefetch()
      let code = source.isDeletion ? target.delete(source.key) : target.put(source.key, source.value)
      guard !target.isDamaged else { throw snapshot.damage(.putValue, detail: table.name) }
      guard code == 0 else {
        let operation: LMDBError.Operation = source.isDeletion ? .deleteValue : .putValue
        throw snapshot.environment.writeFailure(code, operation, detail: table.name)
      }
      if isNoting, target.didChangeRows { try note(source.key, !source.isDeletion) }
    }
  }
}

/// A table that receives changes with rising keys.
///
/// In a table with checksums, the rows on both sides of a change are verified first: next to a damaged key, the change
/// would be written where it is not found again.
@safe
private struct FlushTarget {
  let cursor: OpaquePointer
  let table: Table
  /// Whether all further keys come after the table's last one.
  private var isAppending: Bool
  /// The table's last key before the first change; a copy, because its page may be moved.
  private let lastKey: [UInt8]
  /// Whether a damaged row was found.
  private(set) var isDamaged = false
  /// The key of a verified row, before which there is no row after the last change; empty if none is known.
  ///
  /// A change before this key has verified rows on both sides: the last change, which was just written, and the row of
  /// this key. It is a copy, because its page may be moved.
  private var gapEnd: [UInt8] = []
  /// Whether a put finds out if the key has a row.
  private let isNoting: Bool
  /// Whether the last change inserted or removed a row. After a put it is known only if the target is noting.
  private(set) var didChangeRows = false

  init(cursor: OpaquePointer, of table: Table, isNoting: Bool) {
    unsafe self.cursor = unsafe cursor
    self.table = table
    self.isNoting = isNoting
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    let code = unsafe daybook_lmdb_cursor_get(cursor, &key, &value, MDB_LAST)
    isAppending = code == MDB_NOTFOUND
    lastKey = unsafe code == 0 ? [UInt8](UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)) : []
    if code == 0, table.hasChecksums { isDamaged = unsafe !RowChecksum.open(key, &value) }
  }

  /// Verifies the rows next to the place of a key.
  private mutating func checkPlace(of key: RawSpan) {
    gapEnd.removeAll(keepingCapacity: true)
    var found = unsafe MDB_val()
    var value = unsafe MDB_val()
    var code = unsafe key.withUnsafeBytes { bytes in
      unsafe found = unsafe MDB_val(bytes)
      return unsafe daybook_lmdb_cursor_get(cursor, &found, &value, MDB_SET_RANGE)
    }
    if code == 0 {
      if unsafe !RowChecksum.open(found, &value) { isDamaged = true }
      let next = unsafe UnsafeRawBufferPointer(start: found.mv_data, count: found.mv_size)
      // The key itself is in its place.
      if unsafe key.withUnsafeBytes({ unsafe compareBytes($0, next) }) == 0 { return }
      unsafe gapEnd.append(contentsOf: next)
    }
    code = unsafe daybook_lmdb_cursor_get(cursor, &found, &value, code == 0 ? MDB_PREV : MDB_LAST)
    if code == 0, unsafe !RowChecksum.open(found, &value) { isDamaged = true }
  }

  mutating func put(_ key: RawSpan, _ value: RawSpan) -> CInt {
    updateAppending(key)
    if table.hasChecksums, !isAppending, !isInGap(key) {
      checkPlace(of: key)
      if isDamaged { return 0 }
    }
    didChangeRows = true
    if isAppending { return put(key, value, UInt32(MDB_APPEND)) }
    guard isNoting else { return put(key, value, 0) }
    let code = put(key, value, UInt32(MDB_NOOVERWRITE))
    guard code == MDB_KEYEXIST else { return code }
    didChangeRows = false
    return put(key, value, 0)
  }

  private func put(_ key: RawSpan, _ value: RawSpan, _ flags: UInt32) -> CInt {
    unsafe RowChecksum.put(key, value, in: table, flags) { unsafe mdb_cursor_put(cursor, &$0, &$1, $2) }
  }

  mutating func delete(_ key: RawSpan) -> CInt {
    updateAppending(key)
    didChangeRows = false
    // After the last key there is nothing to delete.
    if isAppending || key.isEmpty || isInGap(key) { return 0 }
    var value = unsafe MDB_val()
    let code = unsafe key.withUnsafeBytes { key in
      var key = unsafe MDB_val(key)
      return unsafe daybook_lmdb_cursor_get(cursor, &key, &value, MDB_SET)
    }
    guard code == MDB_NOTFOUND else {
      didChangeRows = true
      return unsafe code == 0 ? mdb_cursor_del(cursor, 0) : code
    }
    if table.hasChecksums { checkPlace(of: key) }
    return 0
  }

  /// Whether the last change and a verified row are next to the place of a key.
  private func isInGap(_ key: RawSpan) -> Bool {
    unsafe key.withUnsafeBytes { key in unsafe gapEnd.withUnsafeBytes { unsafe compareBytes(key, $0) < 0 } }
  }

  private mutating func updateAppending(_ key: RawSpan) {
    guard !isAppending else { return }
    isAppending = unsafe key.withUnsafeBytes { key in
      unsafe lastKey.withUnsafeBytes { unsafe compareBytes(key, $0) > 0 }
    }
  }
}
