import DaybookDiff
import DaybookModel
import WorkLimits

/// Computes a request's difference from the net changes of a span and the ranks at its ends.
///
/// Only changed rows are compared. If the request has a limit or an offset, unchanged rows may cross the edges of the
/// window: they are the rows between the old edge and the new one.
///
/// - Complexity: O(*k* log *n*) for *k* rows that changed or crossed an edge, of *n*.
struct DifferenceComputation {
  private let changes: NetChanges
  private let old: RankedWindow
  private let new: RankedWindow
  private var builder = DifferenceBuilder<ObjectID>()
  private var sections: Set<[UInt8]> = []

  /// - Parameters:
  ///   - old: The result at the beginning of the span.
  ///   - new: The result at its end.
  package init(_ changes: NetChanges, old: RankedWindow, new: RankedWindow) {
    self.changes = changes
    self.old = old
    self.new = new
  }

  /// - Throws: `DifferenceError` if the ranks do not match the changes; `WorkLimitExceeded`.
  mutating func run() throws -> (difference: Difference<ObjectID>, causes: [ObjectID: [Position]]) {
    builder.reserveCapacity(changes.rows.count)
    var causes: [ObjectID: [Position]] = [:]
    var work = WorkCounter()
    for row in changes.rows where row.isChanged {
      try work.step()
      if try place(row) { causes[row.id] = row.causes }
    }
    if new.request.isWindowed { try placeCrossingRows() }
    for section in sections { try touch(section) }
    let difference = try builder.build()
    if causes.count > difference.rows.count {
      let reported = Set(difference.rows.map(\.id))
      causes = causes.filter { reported.contains($0.key) }
    }
    return (difference, causes)
  }

  /// - Returns: Whether the row is in one of the results.
  private mutating func place(_ row: NetChanges.Row) throws -> Bool {
    let from = try row.old.flatMap { try old.path(of: $0.key) }
    let to = try row.new.flatMap { try new.path(of: $0.key) }
    switch (from, to) {
    case (nil, nil): return false
    case (let from?, nil): builder.delete(row.id, from: from)
    case (nil, let to?): builder.insert(row.id, to: to)
    case (let from?, let to?): builder.change(row.id, from: from, to: to, row.isMoved ? .keys : .values)
    }
    if from != nil, let key = row.old?.key { note(key) }
    if to != nil, let key = row.new?.key { note(key) }
    return true
  }

  private mutating func note(_ key: SortedKey) {
    if key.sectionSize > 0 { sections.insert(key.section) }
  }

  private mutating func touch(_ section: [UInt8]) throws {
    builder.touch(
      TouchedSection(
        name: new.ranked.name(ofSection: section) ?? old.ranked.name(ofSection: section) ?? "",
        old: try old.place(ofSection: section),
        new: try new.place(ofSection: section)))
  }

  /// Places the unchanged rows that are in only one of the windows.
  private mutating func placeCrossingRows() throws {
    let (oldBounds, newBounds) = (try old.bounds, try new.bounds)
    var changed: Set<[UInt8]> = []
    for row in changes.rows where row.isChanged {
      if let key = row.new?.key { changed.insert(key.bytes) }
    }
    var seen: Set<[UInt8]> = []
    for (a, b) in [(oldBounds.lower, newBounds.lower), (oldBounds.upper, newBounds.upper)] where a != b {
      let ranks = try [a, b].map { try $0.map(new.rank(of:)) ?? new.ranked.count }.sorted()
      for bytes in try new.keys(in: ranks[0]..<ranks[1]) {
        guard !changed.contains(bytes), seen.insert(bytes).inserted else { continue }
        try placeUnchanged(bytes)
      }
    }
  }

  private mutating func placeUnchanged(_ bytes: [UInt8]) throws {
    let key = SortedKey(bytes: bytes, sectionSize: new.ranked.section(ofRow: bytes).count)
    switch (try old.path(of: key), try new.path(of: key)) {
    case (let from?, nil): builder.delete(try key.id, from: from)
    case (nil, let to?): builder.insert(try key.id, to: to)
    default: return
    }
    note(key)
  }
}
