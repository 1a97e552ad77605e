import LMDB

/// A sorted in-memory set of table changes that is read as if it were in the store.
///
/// A write builds a layer and flushes it when it commits; the past, a pending edit and a preview are layers that are
/// never flushed. A layer is not `Sendable`: it belongs to the transaction or the context that made it, except for the
/// shared layers of the past, which do not change any more.
package final class Layer {
  package let objects = MemoryTable()
  package let links = MemoryTable()
  package let indexes = MemoryTable()
  package let unique = MemoryTable()

  package init() {}

  /// The changes of a table.
  ///
  /// - Precondition: It is one of ``TableName/layered``.
  package subscript(table: TableName) -> MemoryTable {
    switch table {
    case .objects: objects
    case .links: links
    case .indexes: indexes
    case .unique: unique
    case .counts: preconditionFailure("A layer has no counts.")
    }
  }

  package var isEmpty: Bool {
    objects.isEmpty && links.isEmpty && indexes.isEmpty && unique.isEmpty
  }

  /// The memory that the changes take.
  package var sizeInBytes: Int {
    objects.sizeInBytes + links.sizeInBytes + indexes.sizeInBytes + unique.sizeInBytes
  }

  package func removeAll() {
    for table in TableName.layered { self[table].removeAll() }
  }

  /// A state of a layer, to which ``Layer/rollBack(to:)`` can return.
  package struct Savepoint {
    fileprivate let objects: MemoryTable.Savepoint
    fileprivate let links: MemoryTable.Savepoint
    fileprivate let indexes: MemoryTable.Savepoint
    fileprivate let unique: MemoryTable.Savepoint
  }

  /// Replaces the savepoint, if there is one: keeps from now on what changes replace.
  ///
  /// It ends when the layer is emptied.
  package func replaceSavepoint() -> Savepoint {
    for table in TableName.layered { self[table].forgetSavepoints() }
    return Savepoint(
      objects: objects.makeSavepoint(), links: links.makeSavepoint(), indexes: indexes.makeSavepoint(),
      unique: unique.makeSavepoint())
  }

  /// Undoes the changes since a savepoint.
  ///
  /// - Complexity: As ``LMDB/MemoryTable/rollBack(to:)``.
  package func rollBack(to savepoint: Savepoint) {
    objects.rollBack(to: savepoint.objects)
    links.rollBack(to: savepoint.links)
    indexes.rollBack(to: savepoint.indexes)
    unique.rollBack(to: savepoint.unique)
  }

  /// Calls `body`, during which tables collect their changes, and sorts them at its end.
  ///
  /// The changes of these tables must not be read before they are sorted: see ``MemoryTable/startCollecting()``.
  package func collecting<Result>(_ names: [TableName], _ body: () throws -> Result) rethrows -> Result {
    for name in names { self[name].startCollecting() }
    defer { for name in names { self[name].finishCollecting() } }
    return try body()
  }

  /// Returns a layer with the changes of rows whose keys begin with tags of a range.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* changes of these rows.
  package func part(_ tags: Range<UInt16>) -> Layer {
    let part = Layer()
    var start: [UInt8] = []
    start.appendFixed(tags.lowerBound)
    for table in TableName.layered where !self[table].isEmpty {
      var cursor = self[table].makeCursor()
      var isValid = cursor.seek(atOrAfter: start.rawSpan)
      while isValid, cursor.key.byteCount >= 2 {
        let tag = unsafe cursor.key.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self).bigEndian
        guard tags.contains(tag) else { break }
        if cursor.isDeletion { part[table].delete(cursor.key) } else { part[table].put(cursor.key, cursor.value) }
        isValid = cursor.moveToNext()
      }
    }
    return part
  }

  /// Adds the changes of a layer that was on top of this one.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes.
  package func absorb(_ other: Layer) {
    for table in TableName.layered where !other[table].isEmpty { self[table].absorb(other[table]) }
  }
}
