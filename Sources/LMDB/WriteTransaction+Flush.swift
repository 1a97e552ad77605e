import CLMDB

extension WriteTransaction {
  /// Puts and deletes all that a memory table holds.
  ///
  /// In key order, through one cursor: neighbours share a page that is found once and copied once. Keys after the
  /// table's last one are appended, so that a fresh table is filled with full pages.
  ///
  /// - Throws: `LMDBError`, as ``put(_:_:in:mode:)`` does. The changes before the one that failed were made.
  /// - Complexity: O(*m* log *n*) for *m* changes, and nearer to O(*m*) the closer together they are.
  package mutating func flush(_ changes: MemoryTable, into table: Table) throws(LMDBError) {
    try snapshot.use(table, .putValue)
    let transaction = live
    guard !changes.isEmpty else { return }
    snapshot.changeCount &+= 1
    var pointer: OpaquePointer?
    let code = mdb_cursor_open(transaction, table.handle, &pointer)
    guard code == 0, let pointer else { throw snapshot.environment.failure(code, .openCursor, detail: table.name) }
    defer { mdb_cursor_close(pointer) }
    var target = FlushTarget(cursor: pointer)
    var source = changes.makeCursor()
    while source.moveToNext() {
      let code = source.isDeletion ? target.delete(source.key) : target.put(source.key, source.value)
      guard code == 0 else {
        let operation: LMDBError.Operation = source.isDeletion ? .deleteValue : .putValue
        throw snapshot.environment.writeFailure(code, operation, detail: table.name)
      }
    }
  }
}

/// A table that takes in changes with rising keys.
private struct FlushTarget {
  let cursor: OpaquePointer
  /// Whether all further keys come after the table's last one.
  private var isAppending: Bool
  /// The table's last key before the first change; a copy, because the page it is on may be moved.
  private let lastKey: [UInt8]

  init(cursor: OpaquePointer) {
    self.cursor = cursor
    var key = MDB_val()
    var value = MDB_val()
    let code = mdb_cursor_get(cursor, &key, &value, MDB_LAST)
    isAppending = code == MDB_NOTFOUND
    lastKey = code == 0 ? [UInt8](UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)) : []
  }

  mutating func put(_ key: RawSpan, _ value: RawSpan) -> CInt {
    updateAppending(key)
    let flags = isAppending ? UInt32(MDB_APPEND) : 0
    return key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        var key = MDB_val(key)
        var value = MDB_val(value)
        return mdb_cursor_put(cursor, &key, &value, flags)
      }
    }
  }

  mutating func delete(_ key: RawSpan) -> CInt {
    updateAppending(key)
    // After the last key there is nothing to delete.
    if isAppending || key.isEmpty { return 0 }
    return key.withUnsafeBytes { key in
      var key = MDB_val(key)
      var value = MDB_val()
      let code = mdb_cursor_get(cursor, &key, &value, MDB_SET)
      if code == MDB_NOTFOUND { return 0 }
      return code == 0 ? mdb_cursor_del(cursor, 0) : code
    }
  }

  private mutating func updateAppending(_ key: RawSpan) {
    guard !isAppending else { return }
    isAppending = key.withUnsafeBytes { key in
      lastKey.withUnsafeBytes { compareBytes(key, $0) > 0 }
    }
  }
}
