/// Changes to one table, sorted and in memory: the values that were put and the keys that were deleted.
///
///     let changes = MemoryTable()
///     changes.put(key, value)
///     changes.delete(otherKey)
///     try transaction.flush(changes, into: table)
///
/// The order is that of a ``Table``, and the cursor has the same verbs. A deletion is an entry of its own, which hides
/// the key in whatever the table is laid over.
///
/// A span that it returns stays valid while the table lives, until ``removeAll()``. Putting a value under a key that
/// has one overwrites the bytes in place if they fit; a span of the former value then shows the new bytes.
///
/// It belongs to one thread at a time.
package final class MemoryTable {
  // Cursors look at it with each step; no method lends it to code that could come back to the table.
  @exclusivity(unchecked) private(set) var tree = MemoryTree()

  package init() {}

  deinit { tree.deallocate() }

  /// The number of entries, deletions included.
  package var count: Int { tree.count }
  package var isEmpty: Bool { tree.count == 0 }

  /// The memory in use for entries, with what former values and removed entries leave behind. It is 0 for a table that is
  /// new, or after ``removeAll()``, so that whoever empties a table because it is too large gets on, whatever the limit.
  package var sizeInBytes: Int {
    tree.nodeSizeInBytes - MemoryNode.size(isLeaf: true) + tree.arena.usedSizeInBytes
  }

  /// Puts a value under a key, in place of a value or a deletion.
  ///
  /// - Complexity: O(log *n*); O(1) for a key greater than all others.
  package func put(_ key: RawSpan, _ value: RawSpan) {
    key.withUnsafeBytes { key in value.withUnsafeBytes { value in tree.put(key, value) } }
  }

  /// Records that a key is deleted, whether or not it has an entry.
  ///
  /// - Complexity: O(log *n*)
  package func delete(_ key: RawSpan) {
    key.withUnsafeBytes { key in tree.put(key, nil) }
  }

  /// Forgets the entry of a key, if there is one.
  ///
  /// - Complexity: O(log *n*)
  package func remove(_ key: RawSpan) {
    key.withUnsafeBytes { key in tree.remove(key) }
  }

  /// Forgets all entries. Spans taken before must not be used any more.
  package func removeAll() { tree.removeAll() }

  /// What the table says about a key.
  ///
  /// - Complexity: O(log *n*)
  @_lifetime(borrow self)
  package func lookup(_ key: RawSpan) -> MemoryLookup {
    guard let record = key.withUnsafeBytes({ tree.record(for: $0) }) else {
      return _overrideLifetime(MemoryLookup.absent, borrowing: self)
    }
    if record.isDeletion { return _overrideLifetime(MemoryLookup.deleted, borrowing: self) }
    let span = RawSpan(_unsafeBytes: record.value)
    return _overrideLifetime(MemoryLookup.value(span), borrowing: self)
  }

  /// Makes a cursor, which stands nowhere yet.
  package func makeCursor() -> MemoryCursor { MemoryCursor(self) }

  /// Checks what must always be so; for tests.
  ///
  /// - Complexity: O(*n* log *n*)
  package func checkInvariants() { tree.checkInvariants() }
}

/// What a ``MemoryTable`` says about a key.
package enum MemoryLookup: ~Escapable {
  /// Nothing: whatever is below it decides.
  case absent
  /// The key is deleted.
  case deleted
  /// The key has this value.
  case value(RawSpan)
}
