import DaybookModel
import DaybookQuery

/// A request's rows in order in one state: a base, and deltas that lead from the base's state to this one.
///
/// The rank of a row is its rank in the base, corrected by the number of differing rows before it. So one base serves
/// readers at any number of positions, each with the rows that differ there. A delta is over the state below it: the
/// base with the earlier deltas. A walk through the past has one delta over the head's base, and a difference of the walk
/// a second one, because copying the walk's delta for each commit would take time for all its rows.
///
/// A read needs a reader of the base's position, whatever the deltas are, unless the base stores its keys.
package struct RankedKeys {
  package private(set) var base: RankBase
  private var deltas: [RankDelta] = []

  /// Makes the rows of the base's own state.
  package init(_ base: RankBase) {
    self.base = base
  }

  /// Returns the rows after moves, which are a new delta over these rows.
  ///
  /// - Complexity: O(*k* log *k*) for *k* moves.
  package func applying(_ moves: [RowMove]) -> RankedKeys {
    var keys = self
    keys.deltas.append(RankDelta())
    keys.apply(moves)
    return keys
  }

  /// Moves rows of this state by changing the last delta.
  ///
  /// - Precondition: There is a delta.
  /// - Complexity: O(*k* log *n*) for *k* moves and *n* rows in the delta.
  package mutating func apply(_ moves: [RowMove]) {
    apply(moves, to: deltas.count - 1)
  }

  /// Changes to another state of the base; the rows of this state stay as they are.
  ///
  /// - Precondition: There is a delta.
  /// - Parameter moves: The moves from the former base to the new one.
  package mutating func rebase(onto base: RankBase, after moves: [RowMove]) {
    self.base = base
    apply(moves.map(\.inverse), to: 0)
  }

  private mutating func apply(_ moves: [RowMove], to number: Int) {
    // Taken out while it changes: another reference to its storage would have all of it copied.
    var delta = RankDelta()
    swap(&delta, &deltas[number])
    delta.apply(moves) { section in
      var count = base.sections.rowCount(of: section)
      for lower in 0..<number { count += deltas[lower].difference(ofSection: section) }
      return count
    }
    swap(&delta, &deltas[number])
  }

  package var request: ResolvedRequest { base.request }

  /// The number of rows.
  var count: Int { deltas.reduce(base.count) { $0 + $1.rows.difference } }

  /// Returns the number of rows before a key.
  ///
  /// - Complexity: O(log *n* + log *k*) for *n* rows and *k* differing rows.
  func rank(of key: [UInt8], in reader: Reader?) throws -> Int {
    try rank(of: key, under: deltas.count, in: reader)
  }

  private func rank(of key: [UInt8], under level: Int, in reader: Reader?) throws -> Int {
    try deltas[..<level].reduce(base.rank(of: key, in: reader)) { $0 + $1.rows.shift(at: key) }
  }

  /// Returns the keys of the rows in a range of ranks, which must exist.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows; with differing rows O(*m* (log *n*) (log *k*)).
  func keys(in numbers: Range<Int>, in reader: Reader?) throws -> [[UInt8]] {
    try keys(in: numbers, under: deltas.count, in: reader)
  }

  private func keys(in numbers: Range<Int>, under level: Int, in reader: Reader?) throws -> [[UInt8]] {
    guard level > 0 else { return try base.keys(in: numbers, in: reader) }
    let rows = deltas[level - 1].rows
    if rows.isEmpty { return try keys(in: numbers, under: level - 1, in: reader) }
    return try numbers.map { number in
      try rows.key(
        number, rankBelow: { try rank(of: $0, under: level - 1, in: reader) },
        keyBelow: { try keys(in: $0..<($0 + 1), under: level - 1, in: reader)[0] })
    }
  }
}

extension RankedKeys {
  var sectionCount: Int { deltas.reduce(base.sections.keys.count) { $0 + $1.sections.difference } }

  /// Returns the number of rows of a section; 0 if it does not exist.
  func rowCount(ofSection key: [UInt8]) -> Int {
    deltas.reduce(base.sections.rowCount(of: key)) { $0 + $1.difference(ofSection: key) }
  }

  /// Returns the number of sections before a section's place.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  func sectionRank(of key: [UInt8]) -> Int { sectionRank(of: key, under: deltas.count) }

  private func sectionRank(of key: [UInt8], under level: Int) -> Int {
    deltas[..<level].reduce(base.sections.keys.rank(of: key)) { $0 + $1.sections.shift(at: key) }
  }

  /// Returns the key of a row's section; empty without sections.
  func section(ofRow key: [UInt8]) -> [UInt8] {
    // A section's key is less than the keys of its rows, and no other section's key is between them.
    deltas.reduce(base.sections.keys.last(atOrBefore: key) ?? []) { section, delta in
      guard let added = delta.sections.added.last(atOrBefore: key) else { return section }
      return compareBytes(section.rawSpan, added.rawSpan) < 0 ? added : section
    }
  }

  /// Returns the name of a section of this state or of a state below, or `nil` for any other.
  func name(ofSection key: [UInt8]) -> String? {
    base.sections.name(of: key) ?? deltas.lazy.compactMap { $0.name(ofSection: key) }.first
  }

  /// Returns the key of the n-th section, or `nil` if there are not so many.
  ///
  /// - Complexity: O((log *s*) (log *k*)) for *s* sections, of which *k* are only in one of the states.
  func sectionKey(_ number: Int) -> [UInt8]? {
    number < sectionCount ? sectionKey(number, under: deltas.count) : nil
  }

  private func sectionKey(_ number: Int, under level: Int) -> [UInt8] {
    guard level > 0 else { return base.sections.keys[number] }
    return deltas[level - 1].sections.key(
      number, rankBelow: { sectionRank(of: $0, under: level - 1) }, keyBelow: { sectionKey($0, under: level - 1) })
  }

  /// The keys of this state's sections, in order.
  var sectionKeys: [[UInt8]] {
    deltas.reduce(Array(base.sections.keys)) { $1.sections.applied(to: $0) }
  }
}
