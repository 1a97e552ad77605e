import CLMDB

/// A place in a table, which moves in key order.
///
///     var cursor = try snapshot.makeCursor(in: table)
///     var isFound = try cursor.seek(atOrAfter: prefix)
///     while isFound {
///       show(cursor.key, cursor.value)
///       isFound = try cursor.moveToNext()
///     }
///
/// In a table with checksums, each move to an entry with a damaged value throws. The cursor then stands on that entry,
/// with the key as stored and an empty value, and can move again.
///
/// A cursor stands on an entry, before the first one, after the last one, or nowhere: a new cursor stands nowhere, and
/// so does a cursor whose ``seek(to:)`` found no entry. From nowhere, the next entry is the first and the previous one
/// the last.
///
/// In a write transaction, a change of any table makes a cursor stale. A seek, ``moveToFirst()`` or ``moveToLast()``
/// puts it in place again; any other use traps. After the transaction has ended, every use traps.
@safe
package struct Cursor: ~Copyable {
  @usableFromInline enum Place { case nowhere, beforeFirst, onEntry, afterLast }

  @usableFromInline let snapshot: TransactionSnapshot
  @usableFromInline let pointer: OpaquePointer
  @usableFromInline let hasChecksums: Bool
  @usableFromInline var place = Place.nowhere
  @usableFromInline var changeCount: Int
  @usableFromInline var foundKey = unsafe MDB_val()
  @usableFromInline var foundValue = unsafe MDB_val()

  init(_ snapshot: TransactionSnapshot, _ pointer: OpaquePointer, hasChecksums: Bool) {
    self.hasChecksums = hasChecksums
    self.snapshot = snapshot
    unsafe self.pointer = unsafe pointer
    changeCount = snapshot.changeCount
  }

  deinit {
    // The end of a write transaction frees its cursors; the end of a read transaction does not.
    if snapshot.isLive || !snapshot.isWritable { unsafe mdb_cursor_close(pointer) }
  }
}

extension Cursor {
  /// Whether the cursor stands on an entry.
  @inlinable package var isValid: Bool { place == .onEntry }

  /// The key of the current entry.
  @inlinable
  package var key: RawSpan {
    @_lifetime(borrow self)
    get {
      checkEntry()
      return unsafe _overrideLifetime(foundKey.unsafeSpan, borrowing: self)
    }
  }

  /// The value of the current entry.
  @inlinable
  package var value: RawSpan {
    @_lifetime(borrow self)
    get {
      checkEntry()
      return unsafe _overrideLifetime(foundValue.unsafeSpan, borrowing: self)
    }
  }

  @inlinable
  func checkEntry() {
    unsafe precondition(snapshot.transaction != nil, "A cursor was used after its transaction had ended")
    precondition(place == .onEntry, "A cursor that stands on no entry has no key and no value")
    precondition(
      changeCount == snapshot.changeCount, "A cursor was used after a change, before it was put in place again")
  }
}

extension Cursor {
  /// Moves to the first entry whose key is not less than a key, or after the last entry.
  ///
  /// - Returns: Whether the cursor stands on an entry.
  /// - Complexity: O(log *n*), less if the entry is near.
  @inlinable
  package mutating func seek(atOrAfter key: RawSpan) throws(LMDBError) -> Bool {
    // LMDB refuses the empty key, which is less than all others.
    guard !key.isEmpty else { return try moveToFirst() }
    return try seek(key, MDB_SET_RANGE, orElse: .afterLast)
  }

  /// Seeks like `seek(atOrAfter:)`, and verifies that no damaged key hides the entry.
  ///
  /// A search for a damaged key fails before its checksum is compared. But the damaged entry still stands next to the
  /// place where the search ends. So this method verifies the entry before that place as well as the entry found.
  ///
  /// - Throws: `LMDBError` of kind `checksumMismatch` if one of the two entries is damaged.
  @inlinable
  package mutating func seekProving(atOrAfter key: RawSpan) throws(LMDBError) -> Bool {
    let isFound = try seek(atOrAfter: key)
    guard hasChecksums else { return isFound }
    _ = isFound ? try moveToPrevious() : try moveToLast()
    return try moveToNext()
  }

  /// Moves to the entry with a key, or nowhere if the table has no such entry.
  ///
  /// - Returns: Whether the cursor stands on the entry.
  /// - Complexity: O(log *n*), less if the entry is near.
  @inlinable
  package mutating func seek(to key: RawSpan) throws(LMDBError) -> Bool {
    guard !key.isEmpty else {
      place = .nowhere
      return false
    }
    return try seek(key, MDB_SET_KEY, orElse: .nowhere)
  }

  @inlinable
  mutating func seek(_ key: RawSpan, _ operation: MDB_cursor_op, orElse end: Place) throws(LMDBError) -> Bool {
    // LMDB replaces the key passed to it by the key it finds.
    let code = unsafe key.withUnsafeBytes { bytes in
      unsafe foundKey = unsafe MDB_val(bytes)
      changeCount = snapshot.changeCount
      return get(operation)
    }
    return try settle(code, orElse: end)
  }

  /// Moves to the first entry. Returns whether the table has one.
  @inlinable
  package mutating func moveToFirst() throws(LMDBError) -> Bool {
    changeCount = snapshot.changeCount
    return try settle(get(MDB_FIRST), orElse: .afterLast)
  }

  /// Moves to the last entry. Returns whether the table has one.
  @inlinable
  package mutating func moveToLast() throws(LMDBError) -> Bool {
    changeCount = snapshot.changeCount
    return try settle(get(MDB_LAST), orElse: .beforeFirst)
  }

  /// Moves to the next entry, or after the last one.
  ///
  /// Returns whether the cursor stands on an entry.
  @inlinable
  package mutating func moveToNext() throws(LMDBError) -> Bool {
    switch place {
    case .onEntry: return try settle(get(MDB_NEXT), orElse: .afterLast)
    case .nowhere, .beforeFirst: return try moveToFirst()
    case .afterLast: return false
    }
  }

  /// Moves to the previous entry, or before the first one.
  ///
  /// Returns whether the cursor stands on an entry.
  @inlinable
  package mutating func moveToPrevious() throws(LMDBError) -> Bool {
    switch place {
    case .onEntry: return try settle(get(MDB_PREV), orElse: .beforeFirst)
    case .nowhere, .afterLast: return try moveToLast()
    case .beforeFirst: return false
    }
  }

  @inlinable
  mutating func get(_ operation: MDB_cursor_op) -> CInt {
    unsafe precondition(snapshot.transaction != nil, "A cursor was used after its transaction had ended")
    precondition(
      changeCount == snapshot.changeCount, "A cursor was used after a change, before it was put in place again")
    return unsafe mdb_cursor_get(pointer, &foundKey, &foundValue, operation)
  }

  @inlinable
  mutating func settle(_ code: CInt, orElse end: Place) throws(LMDBError) -> Bool {
    if code == 0 {
      place = .onEntry
      if hasChecksums, unsafe !RowChecksum.open(foundKey, &foundValue) { throw snapshot.damage(.moveCursor) }
      return true
    }
    place = end
    guard code == MDB_NOTFOUND else {
      place = .nowhere
      throw snapshot.failure(code, .moveCursor)
    }
    return false
  }
}
