import CLMDB
import CLMDBGuard

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
  @usableFromInline let fileMap: FileMap?
  /// The offset in the file of the page that was compared last, or the largest number for none.
  @usableFromInline var soundPage = UInt.max

  init(_ snapshot: TransactionSnapshot, _ pointer: OpaquePointer, hasChecksums: Bool) {
    self.hasChecksums = hasChecksums
    self.snapshot = snapshot
    unsafe self.pointer = unsafe pointer
    fileMap = snapshot.fileMap
    changeCount = snapshot.changeCount
    snapshot.cursorCount += 1
  }

  deinit {
    snapshot.cursorCount -= 1
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
  /// - Throws: `LMDBError` of kind `corrupted` also if the entry was found behind a page that is not the one in its place.
  /// - Complexity: O(log *n*), less if the entry is near.
  @inlinable
  package mutating func seek(atOrAfter key: RawSpan) throws(LMDBError) -> Bool {
    // LMDB refuses the empty key, which is less than all others.
    guard !key.isEmpty else { return try moveToFirst() }
    let isFound = try seek(key, MDB_SET_RANGE, orElse: .afterLast)
    return mayHavePassedPage(isFound) ? try proveNeighbor(isFound) : isFound
  }

  /// Returns whether the present place may be behind a page that LMDB searched in vain, without comparing its number.
  ///
  /// A search that ends behind the last entry of a page continues on the next page. Where that page is a wrong one, its place is
  /// where the entry should have been.
  @usableFromInline
  func mayHavePassedPage(_ isFound: Bool) -> Bool {
    // Pages that a write transaction has changed are not in the map.
    guard let fileMap, !snapshot.isWritable || snapshot.changeCount == 0 else { return false }
    return isFound ? unsafe fileMap.isFirstKey(at: UInt(bitPattern: foundKey.mv_data)) : true
  }

  /// Verifies the entry before the present place, and moves back to this.
  @usableFromInline
  mutating func proveNeighbor(_ isFound: Bool) throws(LMDBError) -> Bool {
    _ = isFound ? try moveToPrevious() : try moveToLast()
    return try moveToNext()
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
    return try proveNeighbor(isFound)
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
    case .onEntry:
      let (former, formerPage) = unsafe (foundKey, soundPage)
      let isFound = try settle(get(MDB_NEXT), orElse: .afterLast)
      if isFound, soundPage != formerPage, unsafe compareKeys(former, foundKey) >= 0 { throw wrongPage() }
      return isFound
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
    case .onEntry:
      let (former, formerPage) = unsafe (foundKey, soundPage)
      let isFound = try settle(get(MDB_PREV), orElse: .beforeFirst)
      if isFound, soundPage != formerPage, unsafe compareKeys(former, foundKey) <= 0 { throw wrongPage() }
      return isFound
    case .nowhere, .afterLast: return try moveToLast()
    case .beforeFirst: return false
    }
  }

  @inlinable
  mutating func get(_ operation: MDB_cursor_op) -> CInt {
    unsafe precondition(snapshot.transaction != nil, "A cursor was used after its transaction had ended")
    precondition(
      changeCount == snapshot.changeCount, "A cursor was used after a change, before it was put in place again")
    return unsafe daybook_lmdb_cursor_get(pointer, &foundKey, &foundValue, operation)
  }

  @inlinable
  mutating func settle(_ code: CInt, orElse end: Place) throws(LMDBError) -> Bool {
    snapshot.stepsLeft -= 1
    if snapshot.stepsLeft <= 0 {
      // If this throws, the cursor has left its former place.
      place = .nowhere
      try snapshot.checkWork()
    }
    if code == 0 {
      place = .onEntry
      if let page = unsafe fileMap?.page(of: UInt(bitPattern: foundKey.mv_data)), page != soundPage {
        // Changes of a write transaction are not in the map, so a page of it is always as it was committed.
        guard fileMap?.isLeaf(at: page) == true else { throw wrongPage() }
        soundPage = page
      }
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

extension Cursor {
  /// Creates the error for a page that is not the one to which the tree leads, or whose keys do not follow.
  @usableFromInline
  mutating func wrongPage() -> LMDBError {
    place = .nowhere
    return snapshot.failure(MDB_CORRUPTED, .moveCursor)
  }

  /// Verifies that the cursor stands on the last entry of its table, by the pages that lead there.
  ///
  /// A damaged branch can lead LMDB to another page, whose last entry is then returned as the last one of the table.
  /// Nothing is verified in a write transaction that has changed a table: its pages are not in the map.
  ///
  /// - Throws: `LMDBError` of kind `corrupted`.
  /// - Complexity: O(*d*) for a tree of depth *d*.
  package mutating func proveLast(in table: Table) throws(LMDBError) {
    guard let fileMap, !snapshot.isWritable || snapshot.changeCount == 0 else { return }
    guard place == .onEntry, let record = snapshot.record(of: table) else { return }
    var figures = unsafe MDB_envinfo()
    unsafe mdb_env_info(snapshot.environment.engine, &figures)
    let last = unsafe fileMap.lastKeyAddress(of: record, lastPage: UInt(figures.me_last_pgno))
    guard unsafe last == UInt(bitPattern: foundKey.mv_data) else { throw wrongPage() }
  }

  /// Counts a step that is made beside the table: see ``TransactionSnapshot/countStep()``.
  package func countStep() throws(LMDBError) { try snapshot.countStep() }

  /// Counts the entries from the current one to the last before a key, and moves to the entry after these.
  ///
  /// The values are not read, so checksums are not verified. Nothing is counted if the cursor stands on no entry.
  ///
  /// - Parameters:
  ///   - end: The key at which the count ends.
  ///   - longSize: The size of a key, in bytes, from which on it counts as long; the largest number for none.
  ///   - limit: The number of entries after which the count ends.
  /// - Complexity: O(*p*) for *p* pages in a read transaction, if no long keys are counted; else O(*m*) for *m* entries.
  package mutating func countEntries(
    before end: RawSpan, longSize: Int = .max, limit: Int = .max
  ) throws(LMDBError) -> EntryCount {
    var count = EntryCount.zero
    guard place == .onEntry, limit > 0 else { return count }
    checkEntry()
    let code = unsafe end.withUnsafeBytes { unsafe passEntries(before: $0, limit, longSize, &count) }
    // Settling verifies the checksum of the present value, which must not happen twice.
    if count.all > 0 { _ = try settle(code, orElse: .afterLast) }
    return count
  }

  /// Moves a number of entries forward.
  ///
  /// The values of the entries in between are not read, so their checksums are not verified.
  ///
  /// - Returns: Whether the cursor stands on an entry.
  /// - Complexity: As ``countEntries(before:longSize:limit:)``.
  package mutating func move(by steps: Int) throws(LMDBError) -> Bool {
    guard place == .onEntry, steps > 0 else { return place == .onEntry }
    checkEntry()
    var count = EntryCount.zero
    let code = unsafe passEntries(before: nil, steps, .max, &count)
    return try settle(code, orElse: .afterLast)
  }

  /// Calls a closure with the values from the current entry to the last before a key, and moves to the entry after these.
  ///
  /// Nothing happens if the cursor stands on no entry.
  ///
  /// - Parameter visit: Returns whether to continue.
  /// - Returns: Whether the closure did so each time.
  /// - Complexity: O(*m*) for *m* entries.
  package mutating func forEachValue(
    before end: RawSpan, _ visit: (RawSpan) -> Bool
  ) throws(LMDBError) -> Bool {
    let pageSize = mappedPageSize
    while place == .onEntry, isBefore(end) {
      guard visit(value) else { return false }
      if let pageSize, let last = try unsafe visitPage(before: end, pageSize, visit) {
        guard unsafe last.isContinuing else { return false }
        unsafe foundKey = unsafe last.key
        _ = try settle(get(MDB_SET_KEY), orElse: .nowhere)
      }
      _ = try moveToNext()
    }
    return true
  }

  private func isBefore(_ end: RawSpan) -> Bool {
    unsafe end.withUnsafeBytes { unsafe compareBytes(UnsafeRawBufferPointer(foundKey), $0) < 0 }
  }

  /// Visits the values after the current one that are on the same page.
  ///
  /// - Returns: The key of the last one, and whether to continue; `nil` without such values.
  private func visitPage(
    before end: RawSpan, _ pageSize: Int, _ visit: (RawSpan) -> Bool
  ) throws(LMDBError) -> (key: MDB_val, isContinuing: Bool)? {
    guard let page = unsafe LeafPage(of: foundKey, pageSize: pageSize),
      let entries = unsafe end.withUnsafeBytes({ unsafe page.entries(from: foundKey, before: $0, limit: .max) })
    else { return nil }
    var last: (key: MDB_val, isContinuing: Bool)?
    for index in entries.dropFirst() {
      guard let key = unsafe page.key(index), var value = unsafe page.value(index) else { break }
      if hasChecksums, unsafe !RowChecksum.open(key, &value) { throw snapshot.damage(.moveCursor) }
      unsafe last = unsafe (key, visit(value.unsafeSpan))
      if unsafe last?.isContinuing == false { break }
    }
    return unsafe last
  }

  /// The size of a page, if all pages that the transaction reads are in the map.
  private var mappedPageSize: Int? {
    // The pages that a write transaction has changed are elsewhere.
    var statistics = MDB_stat()
    guard !snapshot.isWritable, unsafe mdb_env_stat(snapshot.environment.engine, &statistics) == 0 else {
      return nil
    }
    return Int(statistics.ms_psize)
  }

  /// Moves forward to an entry that is not less than a key, or a number of entries.
  ///
  /// - Returns: The code of the last move.
  private mutating func passEntries(
    before end: UnsafeRawBufferPointer?, _ limit: Int, _ longSize: Int, _ count: inout EntryCount
  ) -> CInt {
    let pageSize = mappedPageSize
    var code = CInt(0)
    while code == 0, count.all < limit {
      if let offset = unsafe fileMap?.page(of: UInt(bitPattern: foundKey.mv_data)), fileMap?.isLeaf(at: offset) == false
      {
        return MDB_CORRUPTED
      }
      if let pageSize, let page = unsafe LeafPage(of: foundKey, pageSize: pageSize),
        let passed = unsafe page.entries(from: foundKey, before: end, limit: limit - count.all),
        let target = unsafe page.key(min(passed.upperBound, page.count - 1))
      {
        count.all += passed.count
        count.long += page.longCount(in: passed, longSize: longSize)
        if passed.isEmpty { return code }
        unsafe foundKey = unsafe target
        code = get(MDB_SET_KEY)
        if passed.upperBound < page.count { return code }
      } else {
        if let end = unsafe end, unsafe compareBytes(UnsafeRawBufferPointer(foundKey), end) >= 0 { return code }
        count.all += 1
        if unsafe foundKey.mv_size >= longSize { count.long += 1 }
      }
      if code == 0 { code = get(MDB_NEXT) }
    }
    return code
  }
}

private extension UnsafeRawBufferPointer {
  init(_ value: MDB_val) { unsafe self.init(start: value.mv_data, count: value.mv_size) }
}

@usableFromInline
func compareKeys(_ left: MDB_val, _ right: MDB_val) -> Int {
  unsafe compareBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
}
