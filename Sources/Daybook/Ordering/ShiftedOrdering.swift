import DaybookDiff
import LMDB

/// An ordering as it was, or will be, at another position: the same but for some rows.
///
/// The ranks of the other state are those of the ordering, corrected by how many of the rows that differ are below. So
/// one ordering serves readers at any number of positions, each with the rows that changed since.
struct ShiftedOrdering {
  let base: Ordering
  /// Reads the position of the ordering.
  var reader: Reader?
  /// Rows that only the other state has, and rows that only the ordering has.
  private let keys: KeyShift<[[UInt8]]>
  /// What the other state's sections have more or fewer rows, by key, in order.
  private let sections: [SectionShift]

  private struct SectionShift {
    let key: [UInt8]
    let name: String
    var difference: Int
    /// Whether the ordering has it, and whether the other state does.
    var isInBase = false
    var isHere = false
  }

  /// The ordering itself.
  init(_ base: Ordering, in reader: Reader?) {
    self.init(base, in: reader, adding: [], removing: [])
  }

  /// - Parameters:
  ///   - added: Rows that the other state has and the ordering lacks, with the names of their sections.
  ///   - removed: Rows that the ordering has and the other state lacks.
  init(
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

  /// How many rows are below a key.
  ///
  /// - Complexity: O(log *n* + log *k*) for *n* rows, *k* of which differ.
  func rank(of key: [UInt8]) throws -> Int {
    try base.rank(of: key, in: reader) + keys.shift(at: key)
  }

  /// The key of the row of a number.
  ///
  /// - Complexity: O((log *n*) (log *k*)).
  func key(_ number: Int) throws -> [UInt8] {
    try keys.key(
      number, baseRank: { try base.rank(of: $0, in: reader) },
      baseKey: { try base.keys(in: $0..<($0 + 1), in: reader)[0] })
  }

  /// The keys of rows by their numbers, all of which there are.
  func keys(in numbers: Range<Int>) throws -> [[UInt8]] {
    if keys.isEmpty { return try base.keys(in: numbers, in: reader) }
    return try numbers.map(key)
  }
}

extension ShiftedOrdering {
  var sectionCount: Int {
    base.sections.count + sections.count { $0.isHere && !$0.isInBase } - sections.count { !$0.isHere && $0.isInBase }
  }

  /// How many rows a section has; 0 if it is not there.
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

  /// How many sections come before the place of this one.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* sections whose number of rows differs.
  func sectionRank(of key: [UInt8]) -> Int {
    let below = sections.prefix(firstShift(notBelow: key))
    return base.sections.rank(of: key) + below.count { $0.isHere && !$0.isInBase }
      - below.count { !$0.isHere && $0.isInBase }
  }

  /// The key of the section in which a row lies; empty without sections.
  func section(ofRow key: [UInt8]) -> [UInt8] {
    guard base.request.section != nil else { return [] }
    // A section's key is below those of its rows, and no other section's lies between.
    let next = base.sections.rank(of: key)
    let inBase = next > 0 ? base.sections[next - 1] : []
    let shifted = sections.prefix(firstShift(notBelow: key)).last?.key ?? []
    return compareBytes(inBase.span.bytes, shifted.span.bytes) < 0 ? shifted : inBase
  }

  /// The name of a section that is in this state or in the ordering; nil for any other.
  func name(ofSection key: [UInt8]) -> String? {
    base.sections.name(of: key) ?? shift(of: key)?.name
  }

  /// The key of the section of a number; nil if there are not so many.
  func sectionKey(_ number: Int) -> [UInt8]? {
    guard number < sectionCount else { return nil }
    if sections.allSatisfy({ $0.isHere == $0.isInBase }) { return base.sections[number] }
    return sectionKeys[number]
  }

  /// The sections of this state in order.
  var sectionKeys: [[UInt8]] {
    var keys = (0..<base.sections.count).map { base.sections[$0] }
    keys.removeAll { rowCount(ofSection: $0) == 0 }
    keys += sections.filter { $0.isHere && !$0.isInBase }.map(\.key)
    return keys.sorted { compareBytes($0.span.bytes, $1.span.bytes) < 0 }
  }
}
