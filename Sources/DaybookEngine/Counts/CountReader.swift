import DaybookModel
import LMDB

/// Reads ranks in one index from its counts.
///
/// The value is valid as long as the transaction of the snapshot, and belongs to its thread.
package struct CountReader {
  private let tables: CountTables
  private let tag: [UInt8]

  /// - Parameter tag: The tag of the index.
  package init(_ tag: Tag, of tables: BuiltInTables, in snapshot: TransactionSnapshot) {
    self.tables = CountTables(tables, in: snapshot)
    var bytes: [UInt8] = []
    bytes.appendFixed(tag.number)
    self.tag = bytes
  }

  /// Returns the number of entries before a key, and of those with keys that were cut.
  ///
  /// It walks the index from the start of the key's stretch, and then each level from the start of its stretch to the
  /// start that was found on the level below, until there is no higher level.
  ///
  /// - Parameters:
  ///   - key: A key that begins with the tag, in full or in part; `nil` for all entries.
  ///   - countsCutKeys: Whether the number of cut keys is needed; else it may be less.
  /// - Throws: `LMDBError` of a kind that ``LMDB/LMDBError/isDamage`` covers if rows contradict each other.
  /// - Complexity: O(log *n*).
  package func count(before key: [UInt8]?, countsCutKeys: Bool = true) throws(LMDBError) -> EntryCount {
    var cursor = try tables.snapshot.makeCursor(in: tables.counts)
    guard try seekStretch(of: key?.rawSpan, on: 0, &cursor) else {
      // Only an index without entries has no row.
      if try hasEntry(with: tag) { throw tables.contradiction }
      return .zero
    }
    guard var sum = CountRow.count(in: cursor.value) else { throw tables.contradiction }
    var start = [UInt8](cursor.key.extracting(droppingFirst: 1))
    if let key {
      let size = sum
      sum = try tables.entries(from: start.rawSpan, before: key.rawSpan, countsCutKeys: countsCutKeys)
      guard sum.all <= size.all, sum.long <= size.long else { throw tables.contradiction }
    }
    var level = 0
    while start.count > CountRow.tagSize {
      var isHigher = level + 1 < StretchBoundaries.maximumLevelCount
      if isHigher { isHigher = try seekStretch(of: start.rawSpan, on: level + 1, &cursor) }
      let first = isHigher ? [UInt8](cursor.key.extracting(droppingFirst: 1)) : tag
      if first != start { sum += try tables.sum(from: first.rawSpan, upTo: start.rawSpan, on: level) }
      if !isHigher { break }
      start = first
      level += 1
    }
    return sum
  }

  /// The number of entries that are walked before the counts are read.
  private static let walkedEntryCount = 512

  /// Returns the number of entries in a range of keys; few entries are walked.
  ///
  /// - Parameters:
  ///   - start: A key as for ``count(before:countsCutKeys:)``.
  ///   - end: Such a key, or `nil` for the end of the index.
  /// - Throws: As ``count(before:countsCutKeys:)``.
  /// - Complexity: O(log *n*).
  package func count(from start: [UInt8], before end: [UInt8]?) throws(LMDBError) -> Int {
    var cursor = try tables.snapshot.makeCursor(in: tables.indexes)
    guard try cursor.seek(atOrAfter: start.rawSpan) else { return 0 }
    if let limit = end ?? RowKey.successor(ofPrefix: tag) {
      let walked = try cursor.countEntries(before: limit.rawSpan, limit: CountReader.walkedEntryCount)
      if walked.all < CountReader.walkedEntryCount { return walked.all }
    }
    let count = try count(before: end, countsCutKeys: false) - count(before: start, countsCutKeys: false)
    guard count.all >= 0 else { throw tables.contradiction }
    return count.all
  }

  /// Returns a cursor at the n-th entry of the index.
  ///
  /// - Parameter number: Less than the number of entries.
  /// - Throws: As ``count(before:countsCutKeys:)``.
  /// - Complexity: O(log *n*).
  package func makeCursor(at number: Int) throws(LMDBError) -> Cursor {
    var cursor = try tables.snapshot.makeCursor(in: tables.counts)
    var level = try highestLevel(&cursor)
    var (rest, start) = (number, tag)
    while level >= 0 {
      var row: [UInt8] = []
      CountRow.makeKey(level, start.rawSpan, into: &row)
      guard try cursor.seek(to: row.rawSpan) else { throw tables.contradiction }
      try pass(&rest, &cursor, level)
      start = [UInt8](cursor.key.extracting(droppingFirst: 1))
      level -= 1
    }
    var entries = try tables.snapshot.makeCursor(in: tables.indexes)
    guard try entries.seek(atOrAfter: start.rawSpan), try entries.move(by: rest), hasPrefix(entries.key, tag.rawSpan)
    else { throw tables.contradiction }
    return entries
  }

  /// Returns whether the index has an entry that begins with a prefix of its keys.
  package func hasEntry(with prefix: [UInt8]) throws(LMDBError) -> Bool {
    var cursor = try tables.snapshot.makeCursor(in: tables.indexes)
    return try cursor.seek(atOrAfter: prefix.rawSpan) && hasPrefix(cursor.key, prefix.rawSpan)
  }

  /// Moves to the row of a level whose stretch contains a key, or to the last row of the index.
  ///
  /// - Returns: Whether there is one.
  private func seekStretch(of key: RawSpan?, on level: Int, _ cursor: inout Cursor) throws(LMDBError) -> Bool {
    var row: [UInt8] = []
    // The first key after this one, as the stretch may begin at the key.
    if let key {
      CountRow.makeKey(level, key, into: &row)
      row.append(0)
    } else {
      CountRow.makeKey(level, tag.rawSpan, into: &row)
      row = RowKey.successor(ofPrefix: row) ?? row
    }
    let isBefore = try cursor.seek(atOrAfter: row.rawSpan) ? cursor.moveToPrevious() : cursor.moveToLast()
    return isBefore && isOfIndex(cursor.key, level)
  }

  private func isOfIndex(_ key: RawSpan, _ level: Int) -> Bool {
    unsafe key.byteCount >= CountRow.headSize && key.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == level
      && hasPrefix(key.extracting(droppingFirst: 1), tag.rawSpan)
  }

  /// Returns the highest level with rows of the index; 0 without rows.
  private func highestLevel(_ cursor: inout Cursor) throws(LMDBError) -> Int {
    var level = 0
    while level + 1 < StretchBoundaries.maximumLevelCount,
      try cursor.seek(to: ([UInt8(truncatingIfNeeded: level + 1)] + tag).rawSpan)
    {
      level += 1
    }
    return level
  }

  /// Passes the stretches of a level that end before the n-th entry from here.
  private func pass(_ rest: inout Int, _ cursor: inout Cursor, _ level: Int) throws(LMDBError) {
    while true {
      guard let count = CountRow.count(in: cursor.value) else { throw tables.contradiction }
      if count.all > rest { return }
      rest -= count.all
      guard try cursor.moveToNext(), isOfIndex(cursor.key, level) else { throw tables.contradiction }
    }
  }
}
