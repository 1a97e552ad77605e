import DaybookModel
import DaybookQuery
import LMDB

/// The rows that meet a request's filter, in the request's order, at one position: the rank of a row, the n-th row, and
/// the rows of each section are found in O(log *n*).
///
/// Where a persisted view has these rows in this order, only the numbers of its rows are held (``ViewCounts``), about a
/// byte for each; else the rows' sorted keys. Either is made by one scan and then follows the commits:
/// ``replace(_:by:sectionName:)``. Or it lies over another ordering, and only the rows are held by which the two differ.
/// Limit and offset are not applied here.
///
/// It is asked with a reader of its position. It is changed by one thread at a time, and not while another one asks; a
/// copy (``init(copying:)``) goes on alone. A class, because a value that is passed on and kept somewhere would be copied
/// with each change.
final class Ordering {
  let request: ResolvedRequest
  private(set) var sections = SectionList()
  private var keys = KeyList()
  private var view: ViewCounts?
  /// What it lies over, and how it differs from that.
  private var lower: (base: Ordering, shift: KeyShift<KeyList>)?
  /// Whether rows came that the view has no whole keys of: then the ordering must be made anew, of keys.
  private(set) var isOutgrown = false

  /// An ordering without rows.
  init(empty request: ResolvedRequest) {
    self.request = request
  }

  /// The same rows as another ordering has, to go on alone.
  ///
  /// - Complexity: O(1); the first change afterwards, of either, copies the list of the blocks of keys: O(*n* / 512).
  init(copying other: Ordering) {
    request = other.request
    (sections, keys, view, lower) = (other.sections, other.keys, other.view, other.lower)
    isOutgrown = other.isOutgrown
  }

  /// The same rows as another ordering has, to go its own way.
  ///
  /// It is asked with a reader of the other one's position; ``move(to:over:)`` puts it over an ordering of a later one.
  ///
  /// - Complexity: O(1), and O(*s*) for *s* sections when the first change is taken.
  init(over base: Ordering) {
    request = base.request
    sections = base.sections
    lower = (base, KeyShift())
  }

  /// Finds and orders the rows.
  ///
  /// - Parameters:
  ///   - isSparse: Whether a view may be counted.
  ///   - usesConstraints: Whether the rows of the constraints are up to date; they are not in an editing context.
  /// - Complexity: O(*n* log *n*) for *n* objects that the request's plan looks at; O(*n*) where a view is counted.
  init(
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
    // The rows of a section are together, so its key and its name are made once.
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

  /// What it lies over, if it does.
  var base: Ordering? { lower?.base }

  /// Whether it counts the rows of a persisted view, which the model must keep.
  var countsView: Bool { view != nil }

  /// What the ordering takes in memory, but for sections.
  var sizeInBytes: Int {
    lower.map { $0.shift.added.sizeInBytes + $0.shift.removed.sizeInBytes } ?? view?.sizeInBytes ?? keys.sizeInBytes
  }

  /// How many rows are below a key.
  func rank(of key: [UInt8], in reader: Reader?) throws -> Int {
    if let lower { return try lower.base.rank(of: key, in: reader) + lower.shift.shift(at: key) }
    guard view != nil else { return keys.rank(of: key) }
    return try view!.rank(of: key, in: Ordering.required(reader))
  }

  /// The keys of rows by their numbers, all of which there are.
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

  /// Takes a row from one place to another; nil is outside of the result. ``settle(in:)`` must follow when all were
  /// taken.
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

  /// Puts the ordering over another one, which has taken a change; the rows of this one stay as they are.
  func move(to base: Ordering, over changes: NetChanges) {
    lower?.base = base
    for row in changes.rows where row.isMoved {
      if let key = row.old?.key { lower?.shift.noteBaseRemoved(key.bytes) }
      if let key = row.new?.key { lower?.shift.noteBaseInserted(key.bytes) }
    }
  }

  /// Takes the rows of a change from their old places to their new ones. ``settle(in:)`` must follow.
  func take(_ changes: NetChanges) {
    for row in changes.rows where row.isMoved {
      replace(row.old?.key, by: row.new?.key, sectionName: row.new?.sectionName ?? row.old?.sectionName ?? "")
    }
  }

  /// Takes the rows of a change back from their new places to their old ones.
  func undo(_ changes: NetChanges) {
    for row in changes.rows where row.isMoved {
      replace(row.new?.key, by: row.old?.key, sectionName: row.old?.sectionName ?? row.new?.sectionName ?? "")
    }
  }

  /// Ends a change.
  ///
  /// - Parameter reader: Reads the position behind it.
  func settle(in reader: Reader) throws {
    if !isOutgrown { try view?.settle(in: reader) }
  }
}
