import DaybookModel
import DaybookQuery
import WorkLimits

/// The rows that match a request's filter, in the request's order, at one position: the base of ``RankedKeys``.
///
/// The rank of a row, the n-th row, and the rows of each section are found in O(log *n*).
///
/// If an index has these rows in this order, the base stores only their place in the index (``IndexCounts``): ranks come
/// from the counts that are kept with the index. Otherwise it stores the rows' sorted keys, which are found by one scan.
/// Few rows are stored as keys even then if the caller asks for it: their ranks cost less than ranks from counts, and need no
/// reader. Either is moved with the commits: ``apply(_:)``. The sections, if there are any, are stored in both cases. Limit and
/// offset are not applied here.
///
/// Reads need a reader of the base's position, unless the base stores its keys (``countsIndex``). One thread at a time may change it, and not during a read; a copy
/// (``init(copying:)``) is independent. It is a class, because a value that is stored in several places would be copied
/// on each change.
package final class RankBase {
  package let request: ResolvedRequest
  /// What the rows are read from, if they are groups.
  package let groups: GroupState?
  private(set) var sections = SectionCounts()
  private var rows = Rows.keys(SortedKeys())
  /// Whether the base must be rebuilt in its other form.
  ///
  /// A base of counts, if the index no longer has exactly these rows in this order: keys of added rows are cut in the index,
  /// or rows have an empty string as their section. A base of keys, if an index had its few rows, which are many now.
  package private(set) var isOutgrown = false
  /// The most keys that the base stores before it is outgrown; `nil` without a limit.
  private var keyLimit: Int?

  private enum Rows {
    /// All sorted keys.
    case keys(SortedKeys)
    /// The place in an index.
    case counts(IndexCounts)
  }

  /// Makes a base without rows.
  package init(empty request: ResolvedRequest) {
    self.request = request
    groups = request.grouping.map { .empty($0) }
  }

  /// Makes an independent base with the same rows.
  ///
  /// - Complexity: O(1); the next change of either base copies the list of key blocks: O(*n* / 512). O(*g*) for *g* groups.
  package init(copying other: RankBase) {
    groups = other.groups.map { GroupState(copying: $0) }
    (request, sections, rows) = (other.request, other.sections, other.rows)
    (isOutgrown, keyLimit) = (other.isOutgrown, other.keyLimit)
  }

  /// Finds and orders the rows.
  ///
  /// - Parameters:
  ///   - mayCount: Whether the base may use the counts of an index.
  ///   - keptKeyCount: The most rows that are stored as keys though an index has them. The base is outgrown when it has
  ///     four times as many.
  ///   - usesConstraints: Whether the unique rows are up to date, which they are not in an editing context.
  /// - Complexity: O(*n* log *n*) for *n* objects that the request's plan reads; with the counts of an index O(log *n*),
  ///   and O(*s* log *n*) for *s* sections.
  package init(
    _ request: ResolvedRequest, in reader: Reader, mayCount: Bool = true, keptKeyCount: Int = 0,
    usesConstraints: Bool = true
  ) throws {
    self.request = request
    groups = try request.grouping.map {
      try GroupState($0, in: reader, keeping: .all, usesConstraints: usesConstraints)
    }
    if groups == nil, mayCount, try useCounts(in: reader, keptKeyCount: keptKeyCount) { return }
    try collectKeys(
      FetchExecutor(request, reader: rowReader(over: reader), usesConstraints: usesConstraints && groups == nil))
  }

  /// Returns the reader of the rows: this one, or one of the groups.
  package func rowReader(over reader: Reader) -> Reader { groups?.reader(over: reader) ?? reader }

  /// - Returns: Whether an index has the rows.
  private func useCounts(in reader: Reader, keptKeyCount: Int) throws -> Bool {
    guard let counts = try IndexCounts(covering: request, in: reader) else { return false }
    if request.section != nil {
      guard let found = try counts.sections(of: request, in: reader) else { return false }
      sections = found
    }
    if counts.count <= keptKeyCount {
      rows = .keys(SortedKeys(sorted: try counts.keys(in: 0..<counts.count, in: reader)))
      keyLimit = keptKeyCount * 4
    } else {
      rows = .counts(counts)
    }
    return true
  }

  private func collectKeys(_ executor: FetchExecutor) throws {
    var buffer = SortedKeyBuffer()
    var maker = SortedKeyMaker(request, reader: executor.reader)
    var sectionSizes: [Int] = []
    let hasSections = request.section != nil
    try executor.forEachMatch { id, record in
      let sectionSize = try buffer.add { try maker.append(id, record, to: &$0) }
      if hasSections { sectionSizes.append(sectionSize) }
    }
    let order = try buffer.sortedOrder()
    rows = .keys(SortedKeys(sorted: buffer, in: order))
    guard hasSections else { return }
    // The rows of a section are adjacent, so its key and its name are made only once.
    var start = 0
    var work = WorkCounter()
    while start < order.count {
      let section = Array(buffer[order[start]].prefix(sectionSizes[order[start]]))
      var end = start + 1
      while end < order.count, buffer.key(order[end], begins: section) {
        try work.step()
        end += 1
      }
      let id = try RowKey.trailingID(ofSorted: Array(buffer[order[start]]))
      try sections.add(end - start, to: section, named: try maker.sectionName(of: id))
      start = end
    }
  }

  /// The number of rows.
  var count: Int {
    switch rows {
    case .keys(let keys): keys.count
    case .counts(let counts): counts.count
    }
  }

  /// Whether what changes do to the rows can be found without moving them: groups that keep the values of their objects
  /// would be copied.
  package var isCheapToPrepare: Bool { groups?.grouping.keepsValues != true }

  /// Whether it uses the counts of an index, which the model must keep, and a reader must read.
  package var countsIndex: Bool {
    if case .counts = rows { true } else { false }
  }

  /// Returns the number of rows before a key.
  func rank(of key: [UInt8], in reader: Reader?) throws -> Int {
    switch rows {
    case .keys(let keys): keys.rank(of: key)
    case .counts(let counts): try counts.rank(of: key, in: RankBase.required(reader))
    }
  }

  /// Returns the keys of the rows in a range of ranks, which must exist.
  func keys(in numbers: Range<Int>, in reader: Reader?) throws -> [[UInt8]] {
    switch rows {
    case .keys(let keys): numbers.map { keys[$0] }
    case .counts(let counts): try counts.keys(in: numbers, in: RankBase.required(reader))
    }
  }

  private static func required(_ reader: Reader?) -> Reader {
    guard let reader else { preconditionFailure("A base that counts an index is read with a reader.") }
    return reader
  }

  /// Moves rows. Call ``settle(in:)`` afterwards, when a reader of the new position is available.
  ///
  /// - Complexity: O(*k* log *n*) for *k* moves.
  package func apply(_ moves: [RowMove]) {
    switch rows {
    case .keys(var keys):
      // A second reference would copy the keys.
      rows = .keys(SortedKeys())
      for move in moves {
        if let old = move.old { keys.remove(old.key.bytes) }
        if let new = move.new { keys.insert(new.key.bytes) }
      }
      if let keyLimit, keys.count > keyLimit { isOutgrown = true }
      rows = .keys(keys)
    case .counts(var counts):
      for move in moves {
        if let old = move.old { _ = counts.note(-1, at: old.key.bytes) }
        if let new = move.new, !counts.note(1, at: new.key.bytes) { isOutgrown = true }
      }
      rows = .counts(counts)
    }
    guard request.section != nil else { return }
    for move in moves {
      if let old = move.old { sections.add(-1, to: old.key.section, named: old.sectionName) }
      if let new = move.new { sections.add(1, to: new.key.section, named: new.sectionName) }
    }
  }

  /// Completes moves.
  ///
  /// - Parameter reader: Reads the position after the moves.
  /// - Complexity: As ``IndexCounts/settle(in:)``.
  package func settle(in reader: Reader) throws {
    guard !isOutgrown, case .counts(var counts) = rows else { return }
    isOutgrown = try !counts.settle(in: reader)
    rows = .counts(counts)
  }
}

/// The sections of a result in order, with the number of rows of each.
struct SectionCounts {
  /// The keys of the sections.
  private(set) var keys = SortedKeys()
  private var entries: [[UInt8]: Entry] = [:]

  private struct Entry {
    let name: String
    var count: Int
  }

  /// Returns the number of rows of a section; 0 if it does not exist.
  func rowCount(of key: [UInt8]) -> Int { entries[key]?.count ?? 0 }

  func name(of key: [UInt8]) -> String? { entries[key]?.name }

  /// Changes the number of a section's rows; inserts the section or removes it if empty.
  mutating func add(_ difference: Int, to key: [UInt8], named name: @autoclosure () throws -> String) rethrows {
    guard difference != 0 else { return }
    if var entry = entries[key] {
      entry.count += difference
      entries[key] = entry.count == 0 ? nil : entry
      if entry.count == 0 { keys.remove(key) }
    } else {
      entries[key] = Entry(name: try name(), count: difference)
      keys.insert(key)
    }
  }
}
