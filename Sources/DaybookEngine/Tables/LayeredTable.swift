import LMDB

/// A table of a snapshot below memory tables with changes, which is read as one table.
///
/// The tables of a ``Reader`` and the rows of a user projection are such tables. Memory tables are few (one, or one for
/// each nesting of contexts), so a look-up searches them one after the other. They may change while this value exists.
///
/// A layered table is valid as long as the transaction of its snapshot, and belongs to its thread.
package struct LayeredTable {
  package let snapshot: TransactionSnapshot
  /// The table below the memory tables.
  package let base: Table
  /// The memory tables, the lowest first.
  package let layers: [MemoryTable]

  package init(snapshot: TransactionSnapshot, base: Table, layers: [MemoryTable]) {
    self.snapshot = snapshot
    self.base = base
    self.layers = layers
  }

  /// Returns the value of a key, or `nil` if there is no row.
  ///
  /// The borrowed bytes are valid until a flush changes the row, a memory table is emptied, or the transaction ends.
  ///
  /// - Complexity: O(log *n*) for each memory table and for the base.
  @unsafe
  @_lifetime(immortal)
  package func unsafeValue(for key: RawSpan) throws(LMDBError) -> RawSpan? {
    for number in layers.indices.reversed() {
      // The table below counts its own reads.
      try snapshot.countStep()
      switch unsafe layers[number].unsafeEntry(for: key) {
      case .absent: continue
      case .deleted: return nil
      case .value(let value): return unsafe value.unsafeSpan
      }
    }
    guard let value = try unsafe snapshot.unsafeValue(for: key, in: base) else { return nil }
    return unsafe value.unsafeSpan
  }

  /// Checks that no damage hides a row that was not found.
  ///
  /// - Throws: `LMDBError` if a row next to the missing row's place is not as it was written.
  /// - Complexity: O(log *n*)
  package func proveAbsence(of key: RawSpan) throws(LMDBError) {
    try snapshot.proveAbsence(of: key, in: base)
  }

  /// Returns a cursor over all levels, which is at no row.
  package func makeCursor() throws(LMDBError) -> MergingCursor {
    MergingCursor(base: try snapshot.makeCursor(in: base), layers: layers.filter { !$0.isEmpty })
  }
}
