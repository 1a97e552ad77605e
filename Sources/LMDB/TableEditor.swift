import CLMDB
import CLMDBGuard

/// Reads and changes single rows of a table in a write transaction, through one cursor.
///
///     if try editor.seek(atOrAfter: key) { show(editor.key, editor.value) }
///     try editor.put(key, value)
///
/// Changes near the last row are cheap, because the search begins on its page. Several editors may change a table at a
/// time: a put or a deletion finds its row by the key, wherever the editor stands.
///
/// In a table with checksums, a move to a damaged row throws. A caller that puts or deletes a row reads the rows on both
/// sides of its place first: next to a damaged key, the change would be written where it is not found again.
///
/// After a change the editor stands nowhere: key and value of the former row must not be read.
@safe
package struct TableEditor: ~Copyable {
  private let snapshot: TransactionSnapshot
  private let pointer: OpaquePointer
  private let table: Table
  private var foundKey = unsafe MDB_val()
  private var foundValue = unsafe MDB_val()
  /// Whether the editor stands on a row.
  package private(set) var isValid = false
  /// The number of changes of the transaction when the editor was moved.
  private var changeCount = 0

  init(_ snapshot: TransactionSnapshot, _ pointer: OpaquePointer, _ table: Table) {
    self.snapshot = snapshot
    unsafe self.pointer = unsafe pointer
    self.table = table
    snapshot.cursorCount += 1
  }

  deinit {
    snapshot.cursorCount -= 1
    // The end of the transaction frees its cursors.
    if snapshot.isLive { unsafe mdb_cursor_close(pointer) }
  }
}

extension TableEditor {
  /// The key of the row, valid until a change of any table.
  package var key: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid && snapshot.isLive, "An editor that stands on no row has no key")
      return unsafe _overrideLifetime(foundKey.unsafeSpan, borrowing: self)
    }
  }

  /// The value of the row, valid until a change of any table.
  package var value: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid && snapshot.isLive, "An editor that stands on no row has no value")
      return unsafe _overrideLifetime(foundValue.unsafeSpan, borrowing: self)
    }
  }

  /// Moves to the first row whose key is not less than a key.
  ///
  /// - Returns: Whether there is such a row.
  package mutating func seek(atOrAfter key: RawSpan) throws(LMDBError) -> Bool {
    let code = unsafe key.withUnsafeBytes { bytes in
      unsafe foundKey = unsafe MDB_val(bytes)
      return get(MDB_SET_RANGE)
    }
    return try settle(code)
  }

  /// Moves to the row before the one on which the editor stands; to the last row if it stands nowhere.
  ///
  /// - Returns: Whether there is such a row.
  package mutating func moveToPrevious() throws(LMDBError) -> Bool {
    try settle(get(isValid ? MDB_PREV : MDB_LAST))
  }

  private mutating func get(_ operation: MDB_cursor_op) -> CInt {
    precondition(snapshot.isLive, "An editor was used after its transaction had ended")
    changeCount = snapshot.changeCount
    return unsafe daybook_lmdb_cursor_get(pointer, &foundKey, &foundValue, operation)
  }

  private mutating func settle(_ code: CInt) throws(LMDBError) -> Bool {
    isValid = code == 0
    if isValid {
      if table.hasChecksums, unsafe !RowChecksum.open(foundKey, &foundValue) {
        throw snapshot.damage(.moveCursor, detail: table.name)
      }
      return true
    }
    guard code == MDB_NOTFOUND else { throw snapshot.failure(code, .moveCursor, detail: table.name) }
    return false
  }

  /// Puts a row, or replaces its value.
  package mutating func put(_ key: RawSpan, _ value: RawSpan) throws(LMDBError) {
    let isHere = isPresent(key)
    noteChange()
    let cursor = unsafe pointer
    // LMDB needs no search for the row on which the cursor stands.
    let flags = isHere ? UInt32(MDB_CURRENT) : 0
    let code = unsafe RowChecksum.put(key, value, in: table, flags) { unsafe mdb_cursor_put(cursor, &$0, &$1, $2) }
    guard code == 0 else { throw snapshot.environment.writeFailure(code, .putValue, detail: table.name) }
  }

  /// Deletes a row.
  ///
  /// - Returns: Whether it existed.
  package mutating func delete(_ key: RawSpan) throws(LMDBError) -> Bool {
    noteChange()
    let cursor = unsafe pointer
    let code = unsafe key.withUnsafeBytes { bytes in
      var (key, value) = unsafe (MDB_val(bytes), MDB_val())
      let code = unsafe daybook_lmdb_cursor_get(cursor, &key, &value, MDB_SET)
      return unsafe code == 0 ? mdb_cursor_del(cursor, 0) : code
    }
    if code == MDB_NOTFOUND { return false }
    guard code == 0 else { throw snapshot.environment.writeFailure(code, .deleteValue, detail: table.name) }
    return true
  }

  /// Whether the editor stands on the row of a key, and nothing was changed since.
  private func isPresent(_ key: RawSpan) -> Bool {
    guard isValid, changeCount == snapshot.changeCount else { return false }
    let found = unsafe foundKey
    return unsafe key.withUnsafeBytes { key in
      unsafe compareBytes(key, UnsafeRawBufferPointer(start: found.mv_data, count: found.mv_size)) == 0
    }
  }

  private mutating func noteChange() {
    precondition(snapshot.isLive, "An editor was used after its transaction had ended")
    isValid = false
    snapshot.changeCount &+= 1
  }
}

/// Access with keys in buffers: a span of a buffer beside the editor would borrow both.
extension TableEditor {
  /// Moves like ``seek(atOrAfter:)``.
  package mutating func seek(atOrAfter key: borrowing KeyBuffer) throws(LMDBError) -> Bool {
    try seek(atOrAfter: key.bytes)
  }

  /// Puts the bytes of a value, as they are in memory, like ``put(_:_:)``.
  package mutating func put(
    _ key: borrowing KeyBuffer, bytesOf value: some BitwiseCopyable
  ) throws(LMDBError) {
    let failure = unsafe withUnsafeBytes(of: value) { bytes -> LMDBError? in
      do throws(LMDBError) {
        try put(key.bytes, unsafe RawSpan(_unsafeBytes: bytes))
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Deletes like ``delete(_:)``.
  package mutating func delete(_ key: borrowing KeyBuffer) throws(LMDBError) -> Bool {
    try delete(key.bytes)
  }
}
