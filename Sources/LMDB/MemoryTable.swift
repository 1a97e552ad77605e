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
/// A returned span stays valid while the table lives, until ``removeAll()``. Putting a value under a key that has one
/// overwrites the bytes in place if they fit; a span of the former value then shows the new bytes.
///
/// A table may be changed by one thread at a time, and not during a read. Several threads may read it at once: look-ups
/// and cursors change nothing in it.
@safe
package final class MemoryTable {
  // Cursors read the tree at each step; no method lends it to code that could call the table again.
  @exclusivity(unchecked) private(set) var tree = unsafe MemoryTree()

  package init() {}

  deinit { unsafe tree.deallocate() }

  /// The number of entries, deletions included.
  package var count: Int { unsafe tree.count }
  package var isEmpty: Bool { unsafe tree.count == 0 }

  /// The memory in use for entries, including former values and removed entries.
  ///
  /// It is 0 for a new table, and after ``removeAll()``, so that a caller which empties a table above a size limit
  /// makes progress whatever the limit.
  package var sizeInBytes: Int {
    unsafe tree.nodeSizeInBytes - MemoryNode.size(isLeaf: true) + tree.arena.usedSizeInBytes
  }

  /// Puts a value under a key, replacing a value or a deletion.
  ///
  /// - Complexity: O(log *n*); O(1) for a key greater than all others.
  package func put(_ key: RawSpan, _ value: RawSpan) {
    unsafe key.withUnsafeBytes { key in unsafe value.withUnsafeBytes { value in unsafe tree.put(key, value) } }
  }

  /// Records that a key is deleted, whether or not it has an entry.
  ///
  /// - Complexity: O(log *n*)
  package func delete(_ key: RawSpan) {
    unsafe key.withUnsafeBytes { key in unsafe tree.put(key, nil) }
  }

  /// Removes the entry of a key, if it exists.
  ///
  /// - Complexity: O(log *n*)
  package func remove(_ key: RawSpan) {
    unsafe key.withUnsafeBytes { key in unsafe tree.remove(key) }
  }

  /// Removes all entries. Spans taken before must not be used afterwards.
  package func removeAll() { unsafe tree.removeAll() }

  /// Adds the changes of a table that was read before this one.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes.
  package func absorb(_ other: MemoryTable) {
    var cursor = other.makeCursor()
    while cursor.moveToNext() {
      if cursor.isDeletion { delete(cursor.key) } else { put(cursor.key, cursor.value) }
    }
  }

  /// Returns the table's entry for a key.
  ///
  /// - Complexity: O(log *n*)
  @_lifetime(borrow self)
  package func lookup(_ key: RawSpan) -> MemoryLookup {
    guard let record = unsafe key.withUnsafeBytes({ unsafe tree.record(for: $0) }) else {
      return unsafe _overrideLifetime(MemoryLookup.absent, borrowing: self)
    }
    if unsafe record.isDeletion { return unsafe _overrideLifetime(MemoryLookup.deleted, borrowing: self) }
    let span = unsafe RawSpan(_unsafeBytes: record.value)
    return unsafe _overrideLifetime(MemoryLookup.value(span), borrowing: self)
  }

  /// Returns a cursor, which stands nowhere.
  package func makeCursor() -> MemoryCursor { MemoryCursor(self) }

  /// Checks the table's invariants, for tests.
  ///
  /// - Complexity: O(*n* log *n*)
  package func checkInvariants() { unsafe tree.checkInvariants() }
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

  /// Puts a row, or deletes it if the value is none.
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
