import DaybookModel
import DaybookQuery
import LMDB

/// The rows that match a request's filter, in the request's order, at one position.
///
/// The rank of a row, the n-th row, and the rows of each section are found in O(log *n*).
///
/// If a persisted view has these rows in this order, the ordering stores only counts of its rows (``ViewCounts``),
/// about one byte per row; otherwise the rows' sorted keys. Either is built by one scan and then updated with the
/// commits: ``replace(_:by:sectionName:)``. An ordering may also be based on another one, and store only the rows by
/// which the two differ. Limit and offset are not applied here.
///
/// Reads need a reader of the ordering's position. One thread at a time may change it, and not during a read; a copy
/// (``init(copying:)``) is independent. It is a class, because a value that is stored in several places would be copied
/// on each change.
package final class Ordering {
  package let request: ResolvedRequest
  private(set) var sections = SectionList()
  private var keys = KeyList()
  private var view: ViewCounts?
  /// The ordering that this one is based on, and the difference to it.
  var lower: (base: Ordering, shift: KeyShift<KeyList>)?
  /// Whether rows were added whose keys are cut in the view.
  ///
  /// Then the ordering must be rebuilt from keys.
  package private(set) var isOutgrown = false

  /// Makes an ordering without rows.
  package init(empty request: ResolvedRequest) {
    self.request = request
  }

  /// Makes an independent ordering with the same rows.
  ///
  /// - Complexity: O(1); the next change of either ordering copies the list of key blocks: O(*n* / 512).
  package init(copying other: Ordering) {
    request = other.request
    (sections, keys, view, lower) = (other.sections, other.keys, other.view, other.lower)
    isOutgrown = other.isOutgrown
  }

  /// Makes an ordering that is based on another one, with the same rows.
  ///
  /// Reads need a reader of the base's position; ``move(to:over:)`` moves it to a base of a later position.
  ///
  /// - Complexity: O(1), and O(*s*) for *s* sections on the first change.
  package init(over base: Ordering) {
    request = base.request
    sections = base.sections
    lower = (base, KeyShift())
  }

  /// Finds and orders the rows.
  ///
  /// - Parameters:
  ///   - isSparse: Whether the ordering may store counts of a view.
  ///   - usesConstraints: Whether the unique rows are up to date, which they are not in an editing context.
  /// - Complexity: O(*n* log *n*) for *n* objects that the request's plan reads; O(*n*) if a view is counted.
  package init(
    _ request: ResolvedRequest, in reader: Reader, isSparse: Bool = true, usesConstraints: Bool = true
  ) throws {
    self.request = request
    if isSparse { view = try ViewCounts(covering: request, in: reader) }
    if view == nil { try collectKeys(FetchExecutor(request, reader: reader, usesConstraints: usesConstraints)) }
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
    let order = buffer.sortedOrder()
    keys = KeyList(sorted: buffer, in: order)
    guard hasSections else { return }
    // The rows of a section are adjacent, so its key and its name are made only once.
    var start = 0
    while start < order.count {
      let section = Array(buffer[order[start]].prefix(sectionSizes[order[start]]))
      var end = start + 1
      while end < order.count, buffer.key(order[end], begins: section) { end += 1 }
      let id = try RowKey.trailingID(ofSorted: Array(buffer[order[start]]))
      try sections.add(end - start, to: section, named: try maker.sectionName(of: id))
      start = end
    }
  }

  /// The number of rows.
  var count: Int { lower.map { $0.base.count + $0.shift.difference } ?? view?.count ?? keys.count }

  /// The ordering that this one is based on, or `nil`.
  package var base: Ordering? { lower?.base }

  /// Whether it stores counts of a persisted view, which the model must keep.
  package var countsView: Bool { view != nil }

  /// The memory that the ordering uses, in bytes, without sections.
  var sizeInBytes: Int {
    lower.map { $0.shift.added.sizeInBytes + $0.shift.removed.sizeInBytes } ?? view?.sizeInBytes ?? keys.sizeInBytes
  }

  /// Returns the number of rows below a key.
  func rank(of key: [UInt8], in reader: Reader?) throws -> Int {
    if let lower { return try lower.base.rank(of: key, in: reader) + lower.shift.shift(at: key) }
    guard view != nil else { return keys.rank(of: key) }
    return try view!.rank(of: key, in: Ordering.required(reader))
  }

  /// Returns the keys of the rows in a range of ranks, which must exist.
  func keys(in numbers: Range<Int>, in reader: Reader?) throws -> [[UInt8]] {
    if let lower { return try numbers.map { try key($0, over: lower.base, lower.shift, in: reader) } }
    guard view != nil else { return numbers.map { keys[$0] } }
    return try view!.keys(in: numbers, in: Ordering.required(reader))
  }

  private func key(
    _ number: Int, over base: Ordering, _ shift: KeyShift<KeyList>, in reader: Reader?
  ) throws -> [UInt8] {
    try shift.key(
      number, baseRank: { try base.rank(of: $0, in: reader) },
      baseKey: { try base.keys(in: $0..<($0 + 1), in: reader)[0] })
  }

  private static func required(_ reader: Reader?) -> Reader {
    guard let reader else { preconditionFailure("The ranks of a view's rows are found by reading it.") }
    return reader
  }

  /// Moves a row from one place to another; `nil` is outside of the result.
  ///
  /// Call ``settle(in:)`` after all moves.
  ///
  /// - Parameter name: The name of the section at the new place.
  func replace(_ old: SortedKey?, by new: SortedKey?, sectionName name: String) {
    guard old != new else { return }
    if let old {
      remove(old.bytes)
      if request.section != nil { sections.add(-1, to: old.section, named: name) }
    }
    if let new {
      insert(new.bytes)
      if request.section != nil { sections.add(1, to: new.section, named: name) }
    }
  }

  private func remove(_ key: [UInt8]) {
    if lower != nil { return lower!.shift.remove(key) }
    if view != nil { view!.note(-1, at: key) } else { keys.remove(key) }
  }

  private func insert(_ key: [UInt8]) {
    if lower != nil { return lower!.shift.insert(key) }
    guard view != nil else {
      keys.insert(key)
      return
    }
    if !view!.holds(key) { isOutgrown = true }
    view!.note(1, at: key)
  }

  /// Completes a change.
  ///
  /// - Parameter reader: Reads the position after the change.
  package func settle(in reader: Reader) throws {
    if !isOutgrown { try view?.settle(in: reader) }
  }
}
