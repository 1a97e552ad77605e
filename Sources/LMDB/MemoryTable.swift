/// Changes to one table, sorted and in memory: the values put and the keys deleted.
///
///     let changes = MemoryTable()
///     changes.put(key, value)
///     changes.delete(otherKey)
///     try transaction.flush(changes, into: table)
///
/// The order is the same as in a ``Table``, and the cursor has the same methods. A deletion is an entry of its own,
/// which hides the key in the underlying table.
///
/// A table may also collect its entries in the order of their making and sort all of them at once, which takes a fraction
/// of the time for many keys in random order: see ``startCollecting()``.
///
/// With savepoints, the changes of a commit are undone if it fails, and the changes of earlier commits stay: see
/// ``makeSavepoint()``.
///
/// A returned span stays valid while the table lives, until ``removeAll()``. Putting a value under a key that has one
/// overwrites the bytes in place if they fit; a span of the former value then shows the new bytes.
///
/// A table may be changed by one thread at a time, and not during a read. Several threads may read it at once: look-ups
/// and cursors change nothing in it.
@safe
package final class MemoryTable {
  // Cursors read the tree at each step; no method lends it to code that could call the table again.
  @exclusivity(unchecked) private(set) var tree = unsafe MemoryTree()

  /// The entries since the last ``sort()``; empty unless the table collects.
  private let collected = CollectedRecords()

  @safe @exclusivity(unchecked) private var isCollecting = false

  /// What undoes the changes since the first savepoint, the first change first.
  private let undoLog = UndoLog()
  /// Whether changes are added to the log.
  @safe @exclusivity(unchecked) private var isLogging = false

  package init() {}

  deinit { unsafe tree.deallocate() }

  /// The number of entries, deletions included; of a table that collects, before it is sorted, the number of changes.
  package var count: Int { unsafe tree.count + collected.count }
  package var isEmpty: Bool { count == 0 }

  /// The memory in use for entries, including former values and removed entries.
  ///
  /// It is 0 for a new table, and after ``removeAll()``, so that a caller which empties a table above a size limit
  /// makes progress whatever the limit.
  package var sizeInBytes: Int {
    unsafe tree.nodeSizeInBytes - MemoryNode.size(isLeaf: true) + tree.arena.usedSizeInBytes
      + collected.count * RecordSorter.sizeOfEntryInBytes
  }

  /// Puts a value under a key, replacing a value or a deletion.
  ///
  /// - Complexity: O(log *n*); O(1) for a key greater than all others.
  package func put(_ key: RawSpan, _ value: RawSpan) {
    unsafe key.withUnsafeBytes { key in unsafe value.withUnsafeBytes { value in unsafe put(key, value) } }
  }

  /// Puts a value, or a deletion if the value is `nil`.
  private func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) {
    guard !isCollecting else { return unsafe collected.append(tree.makeRecord(key, value)) }
    let undo = unsafe tree.put(key, value)
    if isLogging, let undo = unsafe undo { unsafe undoLog.append(undo) }
  }

  /// Keeps further entries in the order in which they are made, until ``finishCollecting()``.
  ///
  /// Between an entry and the next ``sort()``, the table can only be changed by ``put(_:_:)``, ``delete(_:)`` and
  /// ``removeAll()``, and must not be read.
  /// - Precondition: The table has no savepoint.
  package func startCollecting() {
    precondition(!isLogging, "A table with savepoints does not collect")
    isCollecting = true
  }

  /// Sorts the collected entries, and finds the place of each further entry as it is made.
  package func finishCollecting() {
    sort()
    isCollecting = false
  }

  /// Sorts the collected entries, so that the table can be read; of each key, the last entry stays.
  ///
  /// - Complexity: O(*k*) for *k* entries, and nearer to O(*k* log *k*) the more bytes the keys have in common; O(*k*)
  ///   if they were made with rising keys.
  package func sort() {
    guard !collected.isEmpty else { return }
    unsafe tree.add(collected.takeSorted())
  }

  /// Records that a key is deleted, whether or not it has an entry.
  ///
  /// - Complexity: O(log *n*)
  package func delete(_ key: RawSpan) {
    unsafe key.withUnsafeBytes { key in unsafe put(key, nil) }
  }

  /// Removes the entry of a key, if it exists.
  ///
  /// - Complexity: O(log *n*)
  package func remove(_ key: RawSpan) {
    requireSorted()
    let undo = unsafe key.withUnsafeBytes { key in unsafe tree.remove(key) }
    if isLogging, let undo = unsafe undo { unsafe undoLog.append(undo) }
  }

  /// Removes all entries and savepoints. Spans taken before must not be used afterwards.
  package func removeAll() {
    collected.removeAll()
    forgetSavepoints()
    unsafe tree.removeAll()
  }

  /// Traps if there are entries that are not sorted yet.
  private func requireSorted() {
    precondition(collected.isEmpty, "A table that collects is sorted before it is read")
  }

  /// Adds the changes of a table that was read before this one.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes.
  package func absorb(_ other: MemoryTable) {
    var cursor = other.makeCursor()
    while cursor.moveToNext() {
      if cursor.isDeletion { delete(cursor.key) } else { put(cursor.key, cursor.value) }
    }
  }

  /// Moves the entries of a table here, and leaves it empty; they replace present entries of the same keys.
  ///
  /// Both tables must be sorted.
  ///
  /// - Complexity: O(1) if this table is empty; O(*k* log *n*) for *k* entries otherwise.
  package func take(_ other: MemoryTable) {
    requireSorted()
    other.requireSorted()
    if isEmpty, !isLogging, !other.isLogging {
      unsafe tree.exchange(with: &other.tree)
    } else {
      absorb(other)
    }
    other.removeAll()
  }

  /// Returns the table's entry for a key.
  ///
  /// - Complexity: O(log *n*)
  @_lifetime(borrow self)
  package func lookup(_ key: RawSpan) -> MemoryLookup {
    requireSorted()
    guard let record = unsafe key.withUnsafeBytes({ unsafe tree.record(for: $0) }) else {
      return unsafe _overrideLifetime(MemoryLookup.absent, borrowing: self)
    }
    if unsafe record.isDeletion { return unsafe _overrideLifetime(MemoryLookup.deleted, borrowing: self) }
    let span = unsafe RawSpan(_unsafeBytes: record.value)
    return unsafe _overrideLifetime(MemoryLookup.value(span), borrowing: self)
  }

  /// Returns a cursor, which stands nowhere.
  package func makeCursor() -> MemoryCursor {
    requireSorted()
    return MemoryCursor(self)
  }

  /// Checks the table's invariants, for tests.
  ///
  /// - Complexity: O(*n* log *n*)
  package func checkInvariants() { unsafe tree.checkInvariants() }
}

/// Savepoints.
extension MemoryTable {
  /// A state of a table, to which ``MemoryTable/rollBack(to:)`` can return.
  package struct Savepoint {
    /// The number of changes in the log; `nil` if the table was empty.
    fileprivate let changeCount: Int?
  }

  /// Keeps from now on what changes replace.
  ///
  /// Several savepoints may exist. A savepoint ends with the return to an earlier one, with ``forgetSavepoints()`` and with
  /// ``removeAll()``. An empty table keeps nothing: to return to it is to remove all entries.
  ///
  /// - Complexity: O(1)
  package func makeSavepoint() -> Savepoint {
    requireSorted()
    if isEmpty, !isLogging { return Savepoint(changeCount: nil) }
    isLogging = true
    unsafe tree.savepointNumber &+= 1
    return Savepoint(changeCount: undoLog.count)
  }

  /// Undoes the changes since a savepoint, which stays. Spans taken since must not be used afterwards.
  ///
  /// The memory of the undone entries is released by ``removeAll()``.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes.
  package func rollBack(to savepoint: Savepoint) {
    guard let count = savepoint.changeCount else { return removeAll() }
    precondition(isLogging && count <= undoLog.count, "The savepoint has ended")
    while undoLog.count > count { unsafe tree.undo(undoLog.removeLast()) }
  }

  /// Ends all savepoints.
  package func forgetSavepoints() {
    guard isLogging else { return }
    isLogging = false
    undoLog.removeAll()
  }
}

/// The entries of a ``MemoryTable`` that are not sorted yet, in the order in which they were made.
@safe
private final class CollectedRecords {
  // A table appends to it at each change, and lends nothing.
  @exclusivity(unchecked) private var records = unsafe PlainList<MemoryRecord>()
  /// Whether each key is greater than the key before it.
  @safe @exclusivity(unchecked) private var isRising = true

  var count: Int { unsafe records.count }
  var isEmpty: Bool { unsafe records.isEmpty }

  func append(_ record: MemoryRecord) {
    if isRising, !isEmpty { isRising = unsafe compareBytes(records[count - 1].key, record.key) < 0 }
    unsafe records.append(record)
  }

  /// Removes and returns the records by rising key; of records with the same key, only the last one.
  func takeSorted() -> PlainList<MemoryRecord> {
    var taken = unsafe PlainList<MemoryRecord>()
    unsafe swap(&taken, &records)
    defer { isRising = true }
    return unsafe isRising ? taken : RecordSorter.sort(taken)
  }

  func removeAll() {
    unsafe records.removeAll()
    isRising = true
  }
}

/// Access with keys in arrays.
///
/// The methods are never inlined: a span of the caller's array would retain the array, but an argument is borrowed.
extension MemoryTable {
  /// Puts a row without a value.
  @inline(never)
  package func put(_ key: [UInt8]) {
    put(key.rawSpan, key.rawSpan.extracting(first: 0))
  }

  @inline(never)
  package func put(_ key: [UInt8], _ value: RawSpan) {
    put(key.rawSpan, value)
  }

  /// Puts a row, or deletes it if the value is `none`.
  @inline(never)
  package func change(_ key: [UInt8], to value: UnsafeBytes) {
    if unsafe value.isNone { delete(key.rawSpan) } else { unsafe put(key.rawSpan, value.unsafeSpan) }
  }

  @inline(never)
  package func delete(_ key: [UInt8]) {
    delete(key.rawSpan)
  }
}

/// The entry of a ``MemoryTable`` for a key.
package enum MemoryLookup: ~Escapable {
  /// No entry: the underlying table decides.
  case absent
  /// The key is deleted.
  case deleted
  /// The key has this value.
  case value(RawSpan)
}

/// Accessors for tables whose lifetime the compiler cannot follow.
extension MemoryTable {
  /// Returns the table's entry for a key.
  package func unsafeEntry(for key: RawSpan) -> UnsafeEntry {
    requireSorted()
    guard let record = unsafe key.withUnsafeBytes({ unsafe tree.record(for: $0) }) else { return unsafe .absent }
    return unsafe record.isDeletion ? .deleted : .value(UnsafeBytes(record.value))
  }
}

/// The entry of a ``MemoryTable`` for a key, like ``MemoryLookup``.
@unsafe
package enum UnsafeEntry {
  case absent
  case deleted
  case value(UnsafeBytes)
}
