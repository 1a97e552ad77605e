import DaybookModel
import DaybookQuery
import LMDB

/// The rows of a request in an index that has exactly these rows in this order.
///
/// The index has the keys, and its counts have the ranks (``CountReader``). So this value holds only the place of the rows
/// in the index at one position; each call needs a reader of that position.
package struct IndexCounts {
  private let tag: Tag
  /// The prefix of the index's keys before the request's sorted keys.
  ///
  /// It consists of the tag and the values of the terms that the request does not sort by, which are the same in all
  /// rows.
  let prefix: [UInt8]
  /// The start and the end of the rows in the index.
  private let start: [UInt8]
  private let end: [UInt8]?
  /// The beginning of the keys of the rows whose section value is the empty string.
  ///
  /// For the request these rows are in the section of null, but in the index they have a place of their own. `nil` for a
  /// request without sections, or with sections that are no strings.
  private let emptySection: [UInt8]?
  /// The number of entries of the index before the rows.
  private var first: Int
  package private(set) var count: Int

  /// Finds the rows of a request; `nil` if no index has exactly these rows in this order.
  ///
  /// - Parameter plan: The request's plan, if the caller has it.
  /// - Complexity: O(log *n*).
  package init?(covering request: ResolvedRequest, plan: Plan? = nil, in reader: Reader) throws {
    guard reader.layers.isEmpty, let cover = IndexCover(request, plan: plan, in: reader.model) else { return nil }
    tag = reader.model.entities[request.entity].indexes[cover.index].tag
    var head: [UInt8] = []
    head.appendFixed(tag.number)
    prefix = head + cover.prefix
    start = head + cover.range.lower
    end = cover.range.upper.map { head + $0 }
    if let section = request.section, section.type == .string {
      var key = prefix
      SortKey.append(.string(""), order: section.order, isDescending: section.isDescending, to: &key)
      emptySection = key
    } else {
      emptySection = nil
    }
    (first, count) = (0, 0)
    let counts = self.reader(in: reader)
    let (before, through) = try (entriesBefore(in: reader), counts.count(before: end))
    let rows = through - before
    guard rows.all >= 0 else { throw reader.contradiction(in: .counts) }
    (first, count) = (before.all, rows.all)
    // A key that was cut does not determine its row's place.
    if rows.long > 0 { return nil }
    if let emptySection, try counts.hasEntry(with: emptySection) { return nil }
  }

  /// Returns the number of entries of the index before the rows.
  private func entriesBefore(in reader: Reader) throws -> EntryCount {
    start.count > CountRow.tagSize ? try self.reader(in: reader).count(before: start) : .zero
  }

  /// Records that a row was added or removed. Call ``settle(in:)`` after all changes.
  ///
  /// - Returns: Whether the index has the whole key of an added row.
  mutating func note(_ difference: Int, at key: [UInt8]) -> Bool {
    count += difference
    return difference < 0 || prefix.count + key.count < CountRow.cutKeySize
  }

  /// Reads the place of the rows at the position after the noted changes.
  ///
  /// - Returns: Whether the index still has the rows in the request's order.
  /// - Complexity: O(log *n*); O(1) if the rows are the whole index and have no sections.
  mutating func settle(in reader: Reader) throws -> Bool {
    first = try entriesBefore(in: reader).all
    guard let emptySection else { return true }
    return try !self.reader(in: reader).hasEntry(with: emptySection)
  }

  /// Returns the number of rows before a key.
  ///
  /// - Parameter key: A sorted key, or the beginning of one.
  /// - Complexity: O(log *n*).
  func rank(of key: [UInt8], in reader: Reader) throws -> Int {
    try rank(ofEntry: prefix + key, in: reader)
  }

  /// Returns the number of rows before a key of the index.
  func rank(ofEntry key: [UInt8], in reader: Reader) throws -> Int {
    let rank = try self.reader(in: reader).count(before: key, countsCutKeys: false).all - first
    return min(max(rank, 0), count)
  }

  /// Returns the sorted keys of the rows in a range of ranks, which must exist.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  func keys(in numbers: Range<Int>, in reader: Reader) throws -> [[UInt8]] {
    guard !numbers.isEmpty else { return [] }
    var keys: [[UInt8]] = []
    keys.reserveCapacity(numbers.count)
    var cursor = try makeCursor(at: numbers.lowerBound, in: reader)
    var isValid = true
    while isValid, keys.count < numbers.count {
      guard hasPrefix(cursor.key, prefix.rawSpan) else { break }
      keys.append([UInt8](cursor.key.extracting(droppingFirst: prefix.count)))
      isValid = try cursor.moveToNext()
    }
    guard keys.count == numbers.count else { throw reader.contradiction(in: .counts) }
    return keys
  }

  /// Returns the key of the index's row with a rank, which must exist.
  func entry(_ number: Int, in reader: Reader) throws -> [UInt8] {
    let cursor = try makeCursor(at: number, in: reader)
    return [UInt8](cursor.key)
  }

  /// Returns a cursor of the index at the row with a rank, which must exist.
  func makeCursor(at number: Int, in reader: Reader) throws -> Cursor {
    try self.reader(in: reader).makeCursor(at: first + number)
  }

  private func reader(in reader: Reader) -> CountReader {
    reader.counts(of: tag)
  }
}
