import DaybookDiff
import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Compares orderings, shifted orderings and windows with sorted arrays.
@Suite struct OrderingTests {
  @Test(arguments: [true, false])
  func everyPairOfSmallStatesAndWindowsIsRight(isSectioned: Bool) throws {
    // Two rows in each of two sections: every subset as the ordering, every other one as the shifted state.
    let all = (0..<4).map { PlainKey(section: $0 / 2, key: 0, id: $0, isSectioned: isSectioned) }
    let subsets = (0..<16).map { bits in all.filter { bits & (1 << $0.id) != 0 } }
    for (offset, limit) in [(0, nil), (1, nil), (0, 2), (1, 1), (2, 2), (0, 0), (5, 1)] as [(Int, Int?)] {
      let request = try request(isSectioned: isSectioned, offset: offset, limit: limit)
      for base in subsets {
        for state in subsets { try check(request, base: base, state: state) }
      }
    }
  }

  @Test func randomStatesAndWindowsAreRight() throws {
    try Seeds.run(150) { seed in
      var random = SeededRandom(seed: seed)
      let isSectioned = random.isTrue(percent: 70)
      func key(_ id: Int) -> PlainKey {
        PlainKey(section: random.number(0...5), key: random.number(0...3), id: id, isSectioned: isSectioned)
      }
      let base = (0..<random.number(0...60)).filter { _ in random.isTrue(percent: 70) }.map(key)
      var state = base
      for id in 0..<random.number(0...80) where random.isTrue(percent: 30) {
        state.removeAll { $0.id == id }
        if random.isTrue(percent: 70) { state.append(key(id)) }
      }
      let request = try request(
        isSectioned: isSectioned, offset: random.isTrue(percent: 50) ? random.number(0...50) : 0,
        limit: random.isTrue(percent: 50) ? random.number(0...40) : nil)
      try check(request, base: base, state: state)
    }
  }

  @Test func anOrderingThatFollowsChangesIsThatOfItsRows() throws {
    try Seeds.run(50) { seed in
      var random = SeededRandom(seed: seed)
      let request = try request(isSectioned: true, offset: 0, limit: nil)
      let ordering = Ordering(empty: request)
      var plain: [Int: PlainKey] = [:]
      for _ in 0..<300 {
        let id = random.number(0...30)
        let new =
          random.isTrue(percent: 70)
          ? PlainKey(section: random.number(0...4), key: random.number(0...3), id: id, isSectioned: true) : nil
        ordering.replace(plain[id]?.sorted, by: new?.sorted, sectionName: new?.name ?? "")
        plain[id] = new
        guard
          try ordering.keys(in: 0..<ordering.count, in: nil)
            == plain.values.map(\.sorted.bytes).sorted(by: { $0.lexicographicallyPrecedes($1) })
        else { throw Mismatch("the rows are not those of \(plain)") }
        let counts = plain.values.reduce(into: [Int: Int]()) { $0[$1.section, default: 0] += 1 }
        for (number, section) in counts.keys.sorted().enumerated() {
          let key = PlainKey.sectionKey(section)
          guard ordering.sections[number] == key, ordering.sections.rank(of: key) == number,
            ordering.sections.rowCount(of: key) == counts[section], ordering.sections.name(of: key) == "s\(section)"
          else { throw Mismatch("section \(section) is wrong") }
        }
        guard ordering.sections.count == counts.count else { throw Mismatch("there are sections without rows") }
      }
    }
  }

  private func request(isSectioned: Bool, offset: Int, limit: Int?) throws -> ResolvedRequest {
    let model = Model(entities: [
      Entity(
        name: "Row", attributes: [Attribute(name: "section", type: .string), Attribute(name: "key", type: .integer)])
    ])
    let request = FetchRequest(
      entity: "Row", sort: [SortTerm(["key"])], section: isSectioned ? SectionKey(["section"]) : nil, limit: limit,
      offset: offset)
    return try ResolvedRequest(request, in: ResolvedModel(creating: model))
  }

  /// Checks the shifted ordering from one state to another, and its window.
  private func check(_ request: ResolvedRequest, base: [PlainKey], state: [PlainKey]) throws {
    let ordering = Ordering(empty: request)
    for key in base { ordering.replace(nil, by: key.sorted, sectionName: key.name) }
    let shifted = ShiftedOrdering(
      ordering, in: nil, adding: state.filter { !base.contains($0) }.map { ($0.sorted, $0.name) },
      removing: base.filter { !state.contains($0) }.map { ($0.sorted, $0.name) })
    do {
      try check(shifted, state.sorted(), others: base)
      try check(try OrderingWindow(shifted), request.request, state.sorted())
    } catch {
      throw Mismatch("\(error)\nfrom \(base)\nto \(state)\noffset \(request.offset) limit \(request.limit ?? -1)")
    }
  }

  private func check(_ shifted: ShiftedOrdering, _ rows: [PlainKey], others: [PlainKey]) throws {
    guard shifted.count == rows.count else { throw Mismatch("there are \(shifted.count) rows") }
    for (number, row) in rows.enumerated() {
      guard try shifted.key(number) == row.sorted.bytes else { throw Mismatch("row \(number) is another one") }
      guard shifted.section(ofRow: row.sorted.bytes) == row.sorted.section else { throw Mismatch("section of \(row)") }
    }
    for row in rows + others {
      guard try shifted.rank(of: row.sorted.bytes) == rows.count(where: { $0 < row }) else {
        throw Mismatch("rank of \(row)")
      }
    }
    guard rows.first?.isSectioned == true else { return }
    let sections = Set(rows.map(\.section)).sorted()
    guard shifted.sectionCount == sections.count, shifted.sectionKeys == sections.map(PlainKey.sectionKey) else {
      throw Mismatch("the sections are \(shifted.sectionKeys)")
    }
    for section in 0...6 {
      let key = PlainKey.sectionKey(section)
      guard shifted.rowCount(ofSection: key) == rows.count(where: { $0.section == section }) else {
        throw Mismatch("rows of section \(section)")
      }
      guard shifted.sectionRank(of: key) == sections.count(where: { $0 < section }) else {
        throw Mismatch("rank of section \(section)")
      }
      if sections.contains(section), shifted.name(ofSection: key) != "s\(section)" {
        throw Mismatch("name of section \(section)")
      }
    }
  }

  private func check(_ window: OrderingWindow, _ request: FetchRequest, _ rows: [PlainKey]) throws {
    let inside = Array(rows.dropFirst(request.offset).prefix(request.limit ?? .max))
    let isSectioned = request.section != nil
    let sections = isSectioned ? Set(inside.map(\.section)).sorted() : []
    for row in rows {
      let index = isSectioned ? sections.firstIndex(of: row.section) : 0
      let inSection = inside.filter { !isSectioned || $0.section == row.section }
      let wanted = inSection.firstIndex(of: row).map { RowPath(section: index!, row: $0) }
      let path = try window.path(of: row.sorted)
      guard path == wanted else { throw Mismatch("\(row) is at \(path as Any) instead of \(wanted as Any)") }
    }
    let bounds = [try window.bounds.lower, try window.bounds.upper]
    let start = min(request.offset, rows.count)
    let wanted = [start, start + inside.count].map { $0 < rows.count ? rows[$0].sorted.bytes : nil }
    guard bounds == wanted else { throw Mismatch("the bounds are \(bounds)") }
    let shown = try window.sections
    guard isSectioned else {
      guard shown.map(\.count) == [inside.count] else {
        throw Mismatch("the sections are \(shown)")
      }
      return
    }
    guard shown.map(\.key) == sections.map(PlainKey.sectionKey),
      shown.map(\.name) == sections.map({ "s\($0)" }),
      shown.map(\.count) == sections.map({ section in inside.count { $0.section == section } })
    else { throw Mismatch("the sections are \(shown)") }
    for section in 0...6 {
      let place = try window.place(ofSection: PlainKey.sectionKey(section))
      guard place?.index == sections.firstIndex(of: section) else { throw Mismatch("place of section \(section)") }
    }
  }
}

/// A row's key as three numbers.
private struct PlainKey: Equatable, Comparable {
  let section: Int
  let key: Int
  let id: Int
  let isSectioned: Bool

  var name: String { "s\(section)" }

  var sorted: SortedKey {
    let section = isSectioned ? PlainKey.sectionKey(section) : []
    var bytes = section + [UInt8(key)]
    bytes.append(ObjectID(high: 1, low: UInt64(id)))
    return SortedKey(bytes: bytes, sectionSize: section.count)
  }

  static func sectionKey(_ section: Int) -> [UInt8] { [2, UInt8(section), 0] }

  static func < (a: PlainKey, b: PlainKey) -> Bool {
    a.isSectioned && a.section != b.section ? a.section < b.section : (a.key, a.id) < (b.key, b.id)
  }
}
