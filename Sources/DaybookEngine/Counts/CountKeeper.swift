import DaybookModel
import LMDB

/// Keeps the counts while rows of the indexes are inserted and removed, in key order.
///
/// The counts depend on nothing but the keys in the indexes, so tables that were kept with each commit, rebuilt and
/// verified are equal byte for byte. See ``CountLevel`` for the work, and ``StretchBoundaries`` for the stretches.
struct CountKeeper: ~Copyable {
  private let boundaries: StretchBoundaries
  private var lowest: CountLevel

  init(_ tables: CountTables) throws(LMDBError) {
    boundaries = tables.boundaries
    lowest = try CountLevel(0, tables)
  }

  /// Records that a row of an index was inserted or removed.
  ///
  /// - Parameter key: Greater than all keys before; the rows with lesser keys are in the index as they will be.
  mutating func note(_ key: RawSpan, isInserted: Bool) throws(LMDBError) {
    // No index has such a key, but the flush of a damaged row must not trap.
    guard key.byteCount >= CountRow.tagSize else { return }
    let levelCount = boundaries.levelCount(of: key)
    if levelCount == 0 {
      let step = isInserted ? 1 : -1
      let isCut = key.byteCount >= CountRow.cutKeySize
      return try lowest.add(EntryCount(all: step, long: isCut ? step : 0), at: key)
    }
    if isInserted {
      try lowest.insertBoundary(key, levelCount: levelCount)
    } else {
      try lowest.removeBoundary(key, levelCount: levelCount)
    }
  }

  /// Writes the rows that are still held.
  mutating func finish() throws(LMDBError) {
    try lowest.finishAll()
  }
}
