/// A place in a ``MemoryTable``, in key order.
///
/// Its methods mean the same as the methods of ``Cursor``.
///
/// It stays usable when the table changes. After an entry was added or removed, a move is relative to the key on which
/// the cursor stood: to the next greater or the next smaller key in the table. Only key and value trap until the cursor
/// has been moved or put in place again. A new value for an existing key is visible at once. After `removeAll` the
/// cursor stands nowhere, like a new one.
@safe
package struct MemoryCursor: ~Copyable {
  private enum Position { case nowhere, beforeFirst, onEntry, afterLast }

  private let table: MemoryTable
  private var position = Position.nowhere
  private var place: MemoryTree.Place
  /// The current record, whose key stays readable even if the record has been removed.
  private var record: MemoryRecord?
  private var changeCount: Int
  private var clearCount: Int

  init(_ table: MemoryTable) {
    self.table = table
    unsafe place = unsafe MemoryTree.Place(leaf: table.tree.root, index: 0)
    changeCount = unsafe table.tree.changeCount
    clearCount = unsafe table.tree.clearCount
  }
}

extension MemoryCursor {
  /// Whether the cursor stands on an entry.
  package var isValid: Bool { unsafe position == .onEntry && clearCount == table.tree.clearCount }

  /// The key of the current entry.
  package var key: RawSpan {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(RawSpan(_unsafeBytes: entry.key), borrowing: self) }
  }

  /// The value of the current entry; empty for a deletion.
  package var value: RawSpan {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(RawSpan(_unsafeBytes: entry.value), borrowing: self) }
  }

  /// Whether the current entry records a deletion.
  package var isDeletion: Bool { unsafe entry.isDeletion }

  var entry: MemoryRecord {
    precondition(position == .onEntry, "A cursor that stands on no entry has no key and no value")
    unsafe precondition(changeCount == table.tree.changeCount, "A cursor was read after a change, before it was moved")
    return unsafe place.leaf.record(place.index)
  }
}

extension MemoryCursor {
  /// Moves to the first entry whose key is not less than a key, or after the last entry.
  ///
  /// - Returns: Whether the cursor stands on an entry.
  /// - Complexity: O(log *n*)
  package mutating func seek(atOrAfter key: RawSpan) -> Bool {
    renew()
    unsafe place = unsafe key.withUnsafeBytes { unsafe table.tree.find($0).place }
    return settleForward()
  }

  /// Moves to the entry with a key, or nowhere if the table has no such entry.
  ///
  /// - Returns: Whether the cursor stands on the entry.
  /// - Complexity: O(log *n*)
  package mutating func seek(to key: RawSpan) -> Bool {
    renew()
    let (found, isEqual) = unsafe key.withUnsafeBytes { unsafe table.tree.find($0) }
    unsafe place = unsafe found
    return settle(isEqual ? .onEntry : .nowhere)
  }

  /// Moves to the first entry. Returns whether the table has one.
  package mutating func moveToFirst() -> Bool {
    renew()
    unsafe place = unsafe MemoryTree.Place(leaf: table.tree.first, index: 0)
    return settleForward()
  }

  /// Moves to the last entry. Returns whether the table has one.
  package mutating func moveToLast() -> Bool {
    renew()
    unsafe place = unsafe MemoryTree.Place(leaf: table.tree.last, index: table.tree.last.count)
    return settleBackward()
  }

  /// Moves to the next entry, or after the last one.
  ///
  /// Returns whether the cursor stands on an entry.
  package mutating func moveToNext() -> Bool {
    forgetCleared()
    switch position {
    case .nowhere, .beforeFirst: return moveToFirst()
    case .afterLast: return false
    case .onEntry:
      // Find a stale place again; if its entry was removed, the next entry stands there.
      if unsafe changeCount == table.tree.changeCount || findAgain() { unsafe place.index += 1 }
      return settleForward()
    }
  }

  /// Moves to the previous entry, or before the first one.
  ///
  /// Returns whether the cursor stands on an entry.
  package mutating func moveToPrevious() -> Bool {
    forgetCleared()
    switch position {
    case .nowhere, .afterLast: return moveToLast()
    case .beforeFirst: return false
    case .onEntry:
      if unsafe changeCount != table.tree.changeCount { _ = findAgain() }
      return settleBackward()
    }
  }
}

extension MemoryCursor {
  /// Asks the processor to load a record that follows soon, so that a walk over many records does not wait for each.
  @inline(__always)
  func prefetch() { unsafe place.leaf.prefetchRecord(place.index + 8) }

  private mutating func renew() {
    changeCount = unsafe table.tree.changeCount
    clearCount = unsafe table.tree.clearCount
  }

  private mutating func forgetCleared() {
    guard unsafe clearCount != table.tree.clearCount else { return }
    position = .nowhere
    unsafe record = nil
  }

  /// Finds the place of the former current entry. Returns whether the entry still exists.
  private mutating func findAgain() -> Bool {
    guard let record = unsafe record else { preconditionFailure("A cursor that stands on an entry has its record") }
    changeCount = unsafe table.tree.changeCount
    let (found, isEqual) = unsafe table.tree.find(record.key)
    unsafe place = unsafe found
    return isEqual
  }

  private mutating func settleForward() -> Bool {
    while unsafe place.index >= place.leaf.count {
      guard let next = unsafe place.leaf.next else { return settle(.afterLast) }
      unsafe place = unsafe MemoryTree.Place(leaf: next, index: 0)
    }
    return settle(.onEntry)
  }

  /// Moves to the entry before the place.
  private mutating func settleBackward() -> Bool {
    while unsafe place.index == 0 {
      guard let previous = unsafe place.leaf.previous else { return settle(.beforeFirst) }
      unsafe place = unsafe MemoryTree.Place(leaf: previous, index: previous.count)
    }
    unsafe place.index -= 1
    return settle(.onEntry)
  }

  private mutating func settle(_ position: Position) -> Bool {
    self.position = position
    unsafe record = unsafe position == .onEntry ? place.leaf.record(place.index) : nil
    return position == .onEntry
  }
}

extension MemoryCursor {
  /// The key of the current entry.
  package var unsafeKey: UnsafeBytes { unsafe UnsafeBytes(entry.key) }

  /// The value of the current entry; empty for a deletion.
  package var unsafeValue: UnsafeBytes { unsafe UnsafeBytes(entry.value) }
}
