import DaybookModel
import LMDB

/// The indexes and their counts in one snapshot.
///
/// The value is valid as long as the transaction of the snapshot, and belongs to its thread.
struct CountTables {
  let snapshot: TransactionSnapshot
  let indexes: Table
  let counts: Table
  let boundaries: StretchBoundaries

  init(_ tables: BuiltInTables, in snapshot: TransactionSnapshot) {
    self.snapshot = snapshot
    (indexes, counts, boundaries) = (tables.indexes, tables.counts, tables.boundaries)
  }

  /// The error of counts that contradict each other or the index.
  var contradiction: LMDBError { snapshot.damage(.readValue, detail: TableName.counts.name) }

  /// Returns the number of entries in a part of a stretch.
  ///
  /// It sums the stretches of the level below, or walks the index for the lowest level.
  ///
  /// - Parameters:
  ///   - start: A key at which a stretch of the level begins.
  ///   - end: A key in this stretch; a boundary of the level below, if there is one.
  /// - Complexity: O(*m*) for *m* entries of the level below.
  func count(from start: RawSpan, before end: RawSpan, on level: Int) throws(LMDBError) -> EntryCount {
    guard level > 0 else { return try entries(from: start, before: end) }
    return try sum(from: start, upTo: end, on: level - 1)
  }

  /// Returns the number of all entries of an index.
  ///
  /// - Complexity: O(*m*) for *m* stretches of the level.
  func total(of tag: RawSpan, on level: Int) throws(LMDBError) -> EntryCount {
    var head: [UInt8] = []
    CountRow.makeKey(level, tag, into: &head)
    return try sum(from: tag, before: RowKey.successor(ofPrefix: head) ?? [], on: level)
  }

  /// Walks a part of an index.
  ///
  /// - Parameter countsCutKeys: Whether each key's size is read.
  func entries(
    from start: RawSpan, before end: RawSpan, countsCutKeys: Bool = true
  ) throws(LMDBError) -> EntryCount {
    var cursor = try snapshot.makeCursor(in: indexes)
    guard try cursor.seek(atOrAfter: start) else { return .zero }
    return try cursor.countEntries(before: end, longSize: countsCutKeys ? CountRow.cutKeySize : .max)
  }

  /// Returns the number of entries in the stretches of a level between two of their starts.
  ///
  /// - Complexity: O(*m*) for *m* stretches.
  func sum(from start: RawSpan, upTo end: RawSpan, on level: Int) throws(LMDBError) -> EntryCount {
    var key: [UInt8] = []
    CountRow.makeKey(level, end, into: &key)
    return try sum(from: start, before: key, on: level)
  }

  /// - Parameters:
  ///   - start: The start of a stretch.
  ///   - end: A key of a row.
  private func sum(from start: RawSpan, before end: [UInt8], on level: Int) throws(LMDBError) -> EntryCount {
    var key: [UInt8] = []
    CountRow.makeKey(level, start, into: &key)
    var sum = EntryCount.zero
    var cursor = try snapshot.makeCursor(in: counts)
    guard try cursor.seek(to: key.rawSpan) else { throw contradiction }
    let areCounts = try cursor.forEachValue(before: end.rawSpan) { value in
      guard let count = CountRow.count(in: value) else { return false }
      sum += count
      return true
    }
    guard areCounts else { throw contradiction }
    return sum
  }
}
