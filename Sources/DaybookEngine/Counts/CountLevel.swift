import DaybookModel
import LMDB

/// One level of the counts, which follows the changes of the indexes in key order.
///
/// It holds the stretch of the last change, and writes its row when a change of another stretch comes. Then it reports
/// the difference to the level above, where the changes of many stretches are the change of one. So the work for a change
/// of one entry is a row of the lowest level, and a share of a row of each higher level.
///
/// An index without entries has no rows, and a level has rows of an index only if one of its keys is a boundary of the
/// level; the lowest level has the first stretch in any case.
struct CountLevel: ~Copyable {
  private let number: Int
  private let tables: CountTables
  private var editor: TableEditor
  /// The next higher level, once it is needed.
  private var above: HigherLevel?

  // The stretch of the last change.
  private var state = Holding.none
  /// The key of the index at which the stretch begins.
  private var start = KeyBuffer()
  /// The start of the next stretch of the same index; empty for the last stretch.
  private var end = KeyBuffer()
  private var count = EntryCount.zero
  /// The count in the row, or `nil` if there is no row yet.
  private var stored: EntryCount?
  /// The difference that the level above does not have yet.
  private var difference = EntryCount.zero
  /// A limit on the number of entries in the stretch that come after the last change; often it is exact.
  private var rest = 0
  private var rowKey = KeyBuffer()

  private enum Holding {
    case none
    /// The stretch is held.
    case held
    /// This level has no rows of the index whose tag is in `start`.
    case absent
  }

  /// The first byte of the rows' keys.
  private var level: UInt8 { UInt8(truncatingIfNeeded: number) }

  init(_ number: Int, _ tables: CountTables) throws(LMDBError) {
    (self.number, self.tables) = (number, tables)
    editor = try tables.snapshot.makeEditor(of: tables.counts)
  }

  /// Adds a difference to the stretch that contains a key.
  mutating func add(_ other: EntryCount, at key: RawSpan) throws(LMDBError) {
    try hold(key)
    guard state == .held else { return }
    count += other
    difference += other
    guard count.all >= 0, count.long >= 0 else { throw tables.contradiction }
  }

  /// Divides a stretch at a key that was inserted, which is a boundary of this level.
  ///
  /// - Parameter levelCount: The number of levels of the boundary.
  mutating func insertBoundary(_ key: RawSpan, levelCount: Int) throws(LMDBError) {
    try hold(key)
    if state == .absent { try begin(at: key) }
    // If no entries come after the key, all entries come before it.
    let before = rest == 0 ? count : try tables.count(from: start.bytes, before: key, on: number)
    var after = count - before
    guard after.all >= 0, after.long >= 0 else { throw tables.contradiction }
    rest = after.all
    after.all += 1
    count = before
    try write()
    try report()
    start.removeAll()
    start.append(key)
    count = after
    stored = nil
    // The level above sums the rows of this level.
    try write()
    guard levelCount > number + 1 else {
      difference.all = 1
      return
    }
    try makeAbove().level.insertBoundary(key, levelCount: levelCount)
  }

  /// Unites the stretch that begins at a key, which was removed, with the stretch before it.
  ///
  /// - Parameter levelCount: The number of levels of the boundary.
  mutating func removeBoundary(_ key: RawSpan, levelCount: Int) throws(LMDBError) {
    if state != .held || !equalBytes(end.bytes, key) { try hold(before: key) }
    let removed = try find(key)
    rowKey.assign(level, key)
    guard try editor.delete(rowKey) else { throw tables.contradiction }
    count += removed
    rest += removed.all
    count.all -= 1
    guard count.all >= 0 else { throw tables.contradiction }
    if levelCount > number + 1 {
      try makeAbove().level.removeBoundary(key, levelCount: levelCount)
    } else {
      difference.all -= 1
    }
    if number > 0, isFirst, end.isEmpty { try removeRow() }
  }

  /// Writes the held stretches of this level and of all higher ones.
  mutating func finishAll() throws(LMDBError) {
    try finish()
    try above?.level.finishAll()
  }

  /// Writes the held stretch, and reports it to the level above.
  private mutating func finish() throws(LMDBError) {
    guard state == .held else { return }
    if number == 0, isFirst, end.isEmpty, count.all == 0 { try removeRow() } else { try write() }
    try report()
    state = .none
  }

  private var isFirst: Bool { start.count == CountRow.tagSize }

  // Each level creates the next one when it first has something to report.
  private mutating func makeAbove() throws(LMDBError) -> HigherLevel {
    if let above { return above }
    let made = HigherLevel(try CountLevel(number + 1, tables))
    above = made
    return made
  }

  private mutating func report() throws(LMDBError) {
    guard difference != .zero else { return }
    let reported = difference
    difference = .zero
    guard number + 1 < StretchBoundaries.maximumLevelCount else { return }
    let above = try makeAbove()
    try above.level.add(reported, at: start.bytes)
  }
}

/// A box for a level, which cannot contain a value of its own type.
private final class HigherLevel {
  var level: CountLevel

  init(_ level: consuming CountLevel) {
    self.level = level
  }
}

/// The held stretch and its row.
private extension CountLevel {
  /// Holds the stretch that contains a key.
  ///
  /// Keys rise, except that a stretch that is reported may begin before the key of the last change; but it is in the
  /// stretch of that change.
  @inline(__always)
  mutating func hold(_ key: RawSpan) throws(LMDBError) {
    if state != .none, isSameIndex(key, start.bytes), end.isEmpty || compareBytes(key, end.bytes) < 0 { return }
    try finish()
    try read(key)
  }

  func isSameIndex(_ a: RawSpan, _ b: RawSpan) -> Bool {
    hasPrefix(a, b.extracting(first: CountRow.tagSize))
  }

  /// Reads the row of the stretch that contains a key.
  mutating func read(_ key: RawSpan) throws(LMDBError) {
    rowKey.assign(level, key)
    // The first key after this one: so the row before it is the stretch, even if the stretch begins at the key.
    rowKey.append(byte: 0)
    try readNext()
    try readPrevious(key)
  }

  /// Holds the stretch that ends at a boundary.
  mutating func hold(before key: RawSpan) throws(LMDBError) {
    try finish()
    rowKey.assign(level, key)
    try readNext()
    try readPrevious(key)
    guard state == .held, stored != nil, equalBytes(end.bytes, key) else { throw tables.contradiction }
  }

  /// Reads the start of the first row at or after `rowKey`, which is the end of the stretch before it.
  mutating func readNext() throws(LMDBError) {
    end.removeAll()
    guard try editor.seek(atOrAfter: rowKey), isOfIndex(editor.key) else { return }
    end.append(editor.key.extracting(droppingFirst: 1))
  }

  func isOfIndex(_ key: RawSpan) -> Bool {
    hasPrefix(key, rowKey.bytes.extracting(first: CountRow.headSize))
  }

  /// Holds the row before the present one.
  ///
  /// - Parameter key: A key of the index.
  mutating func readPrevious(_ key: RawSpan) throws(LMDBError) {
    start.removeAll()
    guard try editor.moveToPrevious(), isOfIndex(editor.key) else {
      // A level with rows of an index has the row of the first stretch.
      guard end.isEmpty else { throw tables.contradiction }
      start.append(key.extracting(first: CountRow.tagSize))
      (state, count, stored, rest) = (number == 0 ? .held : .absent, .zero, nil, 0)
      return
    }
    guard let found = CountRow.count(in: editor.value) else { throw tables.contradiction }
    start.append(editor.key.extracting(droppingFirst: 1))
    (state, count, stored, rest) = (.held, found, found, found.all)
  }

  /// Returns the count of the row of a boundary, and makes the row after it the end of the held stretch.
  mutating func find(_ key: RawSpan) throws(LMDBError) -> EntryCount {
    rowKey.assign(level, key)
    guard try editor.seek(atOrAfter: rowKey), equalBytes(editor.key, rowKey.bytes),
      let found = CountRow.count(in: editor.value)
    else { throw tables.contradiction }
    rowKey.append(byte: 0)
    try readNext()
    return found
  }

  /// Begins the level in an index: its first boundary is a key that the level below has already.
  mutating func begin(at key: RawSpan) throws(LMDBError) {
    count = try tables.total(of: start.bytes, on: number - 1)
    count.all -= 1
    rest = count.all
    state = .held
  }

  mutating func write() throws(LMDBError) {
    guard count != stored else { return }
    rowKey.assign(level, start)
    try editor.put(rowKey, bytesOf: CountRow.StoredCount(count))
    stored = count
  }

  /// Removes the row of the first stretch, with which the level ends in the index.
  mutating func removeRow() throws(LMDBError) {
    state = .absent
    difference = .zero
    guard stored != nil else { return }
    // The level may begin again in the index.
    stored = nil
    rowKey.assign(level, start)
    guard try editor.delete(rowKey) else { throw tables.contradiction }
  }
}
