import DaybookModel

/// An ordering at another position, stored as the rows that differ.
///
/// The rank of a row is its rank in the ordering, corrected by the number of differing rows below it. So one ordering
/// serves readers at any number of positions, each with the rows that changed since.
package struct ShiftedOrdering {
  package let base: Ordering
  /// A reader of the ordering's position.
  package var reader: Reader?
  /// Rows that only the other state has, and rows that only the ordering has.
  private let keys: KeyShift<[[UInt8]]>
  /// The sections whose number of rows differs, sorted by key.
  private let sections: [SectionShift]

  private struct SectionShift {
    let key: [UInt8]
    let name: String
    var difference: Int
    /// Whether the ordering has the section, and whether the other state has it.
    var isInBase = false
    var isHere = false
  }

  /// Makes a view of the ordering without differences.
  package init(_ base: Ordering, in reader: Reader?) {
    self.init(base, in: reader, adding: [], removing: [])
  }

  /// - Parameters:
  ///   - added: Rows of the other state that the ordering lacks, with the names of their sections.
  ///   - removed: Rows of the ordering that the other state lacks.
  package init(
    _ base: Ordering, in reader: Reader?, adding added: [(key: SortedKey, section: String)],
    removing removed: [(key: SortedKey, section: String)]
  ) {
    self.base = base
    self.reader = reader
    keys = KeyShift(added: added.map(\.key).sorted().map(\.bytes), removed: removed.map(\.key).sorted().map(\.bytes))
    guard base.request.section != nil else {
      sections = []
      return
    }
    var shifts: [[UInt8]: SectionShift] = [:]
    for (rows, step) in [(added, 1), (removed, -1)] {
      for row in rows {
        let key = row.key.section
        shifts[key, default: SectionShift(key: key, name: row.section, difference: 0)].difference += step
      }
    }
    sections = shifts.values.map { shift in
      let count = base.sections.rowCount(of: shift.key)
      var shift = shift
      shift.isInBase = count > 0
      shift.isHere = count + shift.difference > 0
      return shift
    }.sorted { compareBytes($0.key.span.bytes, $1.key.span.bytes) < 0 }
  }

  var count: Int { base.count + keys.difference }

  /// Returns the number of rows below a key.
  ///
  /// - Complexity: O(log *n* + log *k*) for *n* rows and *k* differing rows.
  func rank(of key: [UInt8]) throws -> Int {
    try base.rank(of: key, in: reader) + keys.shift(at: key)
  }

  /// Returns the key of the n-th row.
  ///
  /// - Complexity: O((log *n*) (log *k*)).
  package func key(_ number: Int) throws -> [UInt8] {
    try keys.key(
      number, baseRank: { try base.rank(of: $0, in: reader) },
      baseKey: { try base.keys(in: $0..<($0 + 1), in: reader)[0] })
  }

  /// Returns the keys of the rows in a range of ranks, which must exist.
  package func keys(in numbers: Range<Int>) throws -> [[UInt8]] {
    if keys.isEmpty { return try base.keys(in: numbers, in: reader) }
    return try numbers.map(key)
  }
}

extension ShiftedOrdering {
  var sectionCount: Int {
    base.sections.count + sections.count { $0.isHere && !$0.isInBase } - sections.count { !$0.isHere && $0.isInBase }
  }

  /// Returns the number of rows of a section; 0 if it does not exist.
  func rowCount(ofSection key: [UInt8]) -> Int {
    base.sections.rowCount(of: key) + (shift(of: key)?.difference ?? 0)
  }

  private func shift(of key: [UInt8]) -> SectionShift? {
    let index = firstShift(notBelow: key)
    return index < sections.count && sections[index].key == key ? sections[index] : nil
  }

  private func firstShift(notBelow key: [UInt8]) -> Int {
    sections.partitioningIndex { compareBytes($0.key.span.bytes, key.span.bytes) >= 0 }
  }

  /// Returns the number of sections before a section's place.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* sections whose number of rows differs.
  func sectionRank(of key: [UInt8]) -> Int {
    let below = sections.prefix(firstShift(notBelow: key))
    return base.sections.rank(of: key) + below.count { $0.isHere && !$0.isInBase }
      - below.count { !$0.isHere && $0.isInBase }
  }

  /// Returns the key of a row's section; empty without sections.
  func section(ofRow key: [UInt8]) -> [UInt8] {
    guard base.request.section != nil else { return [] }
    // A section's key is below the keys of its rows, and no other section's key is between them.
    let next = base.sections.rank(of: key)
    let inBase = next > 0 ? base.sections[next - 1] : []
    let shifted = sections.prefix(firstShift(notBelow: key)).last?.key ?? []
    return compareBytes(inBase.span.bytes, shifted.span.bytes) < 0 ? shifted : inBase
  }

  /// Returns the name of a section of this state or of the ordering, or `nil` for any other.
  func name(ofSection key: [UInt8]) -> String? {
    base.sections.name(of: key) ?? shift(of: key)?.name
  }

  /// Returns the key of the n-th section, or `nil` if there are not so many.
  func sectionKey(_ number: Int) -> [UInt8]? {
    guard number < sectionCount else { return nil }
    if sections.allSatisfy({ $0.isHere == $0.isInBase }) { return base.sections[number] }
    return sectionKeys[number]
  }

  /// The keys of this state's sections, in order.
  var sectionKeys: [[UInt8]] {
    var keys = (0..<base.sections.count).map { base.sections[$0] }
    keys.removeAll { rowCount(ofSection: $0) == 0 }
    keys += sections.filter { $0.isHere && !$0.isInBase }.map(\.key)
    return keys.sorted { compareBytes($0.span.bytes, $1.span.bytes) < 0 }
  }
}
