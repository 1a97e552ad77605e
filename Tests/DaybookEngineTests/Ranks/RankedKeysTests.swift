import DaybookDiff
import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Compares ranked keys, their bases and their windows with sorted arrays.
@Suite(.hangLimit) struct RankedKeysTests {
  private static let model = Model(entities: [
    Entity(
      name: "Row", attributes: [Attribute(name: "section", type: .string), Attribute(name: "key", type: .integer)],
      indexes: [Index([SortTerm(path: ["key"])])])
  ])

  private let bench: EngineBench

  init() throws {
    bench = try EngineBench(Self.model)
  }

  @Test(arguments: [true, false])
  func everyPairOfSmallStatesAndWindowsIsRight(isSectioned: Bool) throws {
    // Two rows in each of two sections: every subset as the base, every other one as the state over it.
    let all = (0..<4).map { PlainKey(section: $0 / 2, key: 0, id: $0, isSectioned: isSectioned) }
    let subsets = (0..<16).map { bits in all.filter { bits & (1 << $0.id) != 0 } }
    for (offset, limit) in [(0, nil), (1, nil), (0, 2), (1, 1), (2, 2), (0, 0), (5, 1)] as [(Int, Int?)] {
      let request = try request(isSectioned: isSectioned, offset: offset, limit: limit)
      try read { reader in
        for base in subsets {
          for state in subsets {
            let ranked = RankedKeys(heldBase(request, base)).applying(moves(from: base, to: state))
            try check(ranked, state, others: base, in: reader)
          }
        }
      }
    }
  }

  @Test func deltasOverABaseOfKeysAreRight() throws {
    try Seeds.run(Rounds.of(150)) { seed in
      var random = SeededRandom(seed: seed)
      let isSectioned = random.isTrue(percent: 70)
      let base = PlainKey.random(0...60, isSectioned: isSectioned, &random)
      let request = try request(
        isSectioned: isSectioned, offset: random.isTrue(percent: 50) ? random.number(0...50) : 0,
        limit: random.isTrue(percent: 50) ? random.number(0...40) : nil)
      try read { try checkDeltas(over: heldBase(request, base), base, &random, in: $0) }
    }
  }

  @Test func deltasOverACountedIndexAreRight() throws {
    let stored = (1...40).map { PlainKey(section: 0, key: $0 % 7, id: $0, isSectioned: false) }
    try bench.commit { builder in
      for row in stored {
        try builder.carryOut(
          .insert(entity: "Row", values: [("section", "s"), ("key", .integer(Int64(row.key)))], id: row.objectID))
      }
    }
    try Seeds.run(Rounds.of(50)) { seed in
      var random = SeededRandom(seed: seed)
      let request = try request(
        isSectioned: false, offset: random.isTrue(percent: 50) ? random.number(0...50) : 0,
        limit: random.isTrue(percent: 50) ? random.number(0...40) : nil)
      try read { reader in
        let base = try RankBase(request, in: reader)
        guard base.countsIndex else { throw Mismatch("no index is counted") }
        try checkDeltas(over: base, stored, &random, in: reader)
      }
    }
  }

  /// Checks up to three deltas, each over the one before, and a changed one.
  private func checkDeltas(
    over base: RankBase, _ rows: [PlainKey], _ random: inout SeededRandom, in reader: Reader
  ) throws {
    var (ranked, rows) = (RankedKeys(base), rows)
    let isSectioned = base.request.section != nil
    try check(ranked, rows, others: [], in: reader)
    for _ in 0..<random.number(1...3) {
      let former = (ranked: ranked, rows: rows)
      let state = PlainKey.changed(rows, isSectioned: isSectioned, &random)
      ranked = ranked.applying(moves(from: rows, to: state))
      try check(ranked, state, others: rows, in: reader)
      rows = PlainKey.changed(state, isSectioned: isSectioned, &random)
      ranked.apply(moves(from: state, to: rows))
      try check(ranked, rows, others: state, in: reader)
      try check(former.ranked, former.rows, others: rows, in: reader)
    }
  }

  @Test func rowsStayInPlaceWhenTheirBaseMoves() throws {
    try Seeds.run(Rounds.of(100)) { seed in
      var random = SeededRandom(seed: seed)
      let isSectioned = random.isTrue(percent: 70)
      let request = try request(isSectioned: isSectioned, offset: random.number(0...3), limit: nil)
      var base = PlainKey.random(0...30, isSectioned: isSectioned, &random)
      let rows = PlainKey.changed(base, isSectioned: isSectioned, &random)
      var ranked = RankedKeys(heldBase(request, base)).applying(moves(from: base, to: rows))
      for _ in 0..<4 {
        let new = random.isTrue(percent: 20) ? rows : PlainKey.changed(base, isSectioned: isSectioned, &random)
        ranked.rebase(onto: heldBase(request, new), after: moves(from: base, to: new))
        try read { try check(ranked, rows, others: base + new, in: $0) }
        base = new
      }
    }
  }

  @Test func aBaseThatIsMovedHasTheRowsOfTheMoves() throws {
    try Seeds.run(Rounds.of(50)) { seed in
      var random = SeededRandom(seed: seed)
      let isSectioned = random.isTrue(percent: 70)
      let base = RankBase(empty: try request(isSectioned: isSectioned, offset: 0, limit: nil))
      var rows: [PlainKey] = []
      try read { reader in
        for _ in 0..<30 {
          let (former, copy) = (rows, RankBase(copying: base))
          rows = PlainKey.changed(rows, isSectioned: isSectioned, &random)
          base.apply(moves(from: former, to: rows))
          try check(RankedKeys(base), rows, others: former, in: reader)
          try check(RankedKeys(copy), former, others: rows, in: reader)
        }
      }
    }
  }
}

private extension RankedKeysTests {
  func read(_ body: (Reader) throws -> Void) throws {
    try bench.read { present, _ in try body(present.reader) }
  }

  func request(isSectioned: Bool, offset: Int, limit: Int?) throws -> ResolvedRequest {
    let request = FetchRequest(
      entity: "Row", sort: [SortTerm(path: ["key"])], section: isSectioned ? SectionKey(path: ["section"]) : nil,
      limit: limit,
      offset: offset)
    return try ResolvedRequest(request, in: bench.model)
  }

  func heldBase(_ request: ResolvedRequest, _ rows: [PlainKey]) -> RankBase {
    let base = RankBase(empty: request)
    base.apply(moves(from: [], to: rows))
    return base
  }

  func moves(from old: [PlainKey], to new: [PlainKey]) -> [RowMove] {
    Set((old + new).map(\.id)).compactMap { id in
      let (before, after) = (old.first { $0.id == id }, new.first { $0.id == id })
      return before?.sorted == after?.sorted ? nil : RowMove(old: before?.state, new: after?.state)
    }
  }

  /// Checks the rows of a state, in any order, and their window.
  func check(_ ranked: RankedKeys, _ rows: [PlainKey], others: [PlainKey], in reader: Reader) throws {
    let (rows, request) = (rows.sorted(), ranked.request)
    do {
      try checkRows(ranked, rows, others: others, in: reader)
      if request.section != nil { try checkSections(ranked, rows) }
      try check(try RankedWindow(ranked, in: reader), request.request, rows)
    } catch {
      throw Mismatch("\(error)\nof \(rows)\noffset \(request.offset) limit \(request.limit ?? -1)")
    }
  }

  func checkRows(_ ranked: RankedKeys, _ rows: [PlainKey], others: [PlainKey], in reader: Reader) throws {
    guard ranked.count == rows.count else { throw Mismatch("there are \(ranked.count) rows") }
    guard try ranked.keys(in: 0..<rows.count, in: reader) == rows.map(\.sorted.bytes) else {
      throw Mismatch("the rows are others")
    }
    for row in rows {
      guard ranked.section(ofRow: row.sorted.bytes) == row.sorted.section else { throw Mismatch("section of \(row)") }
    }
    for row in rows + others {
      guard try ranked.rank(of: row.sorted.bytes, in: reader) == rows.count(where: { $0 < row }) else {
        throw Mismatch("rank of \(row)")
      }
    }
  }

  func checkSections(_ ranked: RankedKeys, _ rows: [PlainKey]) throws {
    let sections = Set(rows.map(\.section)).sorted()
    guard ranked.sectionCount == sections.count, ranked.sectionKeys == sections.map(PlainKey.sectionKey),
      (0...sections.count).map(ranked.sectionKey) == sections.map(PlainKey.sectionKey) + [nil]
    else { throw Mismatch("the sections are \(ranked.sectionKeys)") }
    for section in 0...6 {
      let key = PlainKey.sectionKey(section)
      guard ranked.rowCount(ofSection: key) == rows.count(where: { $0.section == section }) else {
        throw Mismatch("rows of section \(section)")
      }
      guard ranked.sectionRank(of: key) == sections.count(where: { $0 < section }) else {
        throw Mismatch("rank of section \(section)")
      }
      if sections.contains(section), ranked.name(ofSection: key) != "s\(section)" {
        throw Mismatch("name of section \(section)")
      }
    }
  }

  func check(_ window: RankedWindow, _ request: FetchRequest, _ rows: [PlainKey]) throws {
    let inside = Array(rows.dropFirst(request.offset).prefix(request.limit ?? .max))
    let isSectioned = request.section != nil
    let sections = isSectioned ? Set(inside.map(\.section)).sorted() : []
    for (number, row) in rows.enumerated() {
      let index = isSectioned ? sections.firstIndex(of: row.section) : 0
      let inSection = inside.filter { !isSectioned || $0.section == row.section }
      let wanted = inSection.firstIndex(of: row).map { RowPath(section: index!, row: $0) }
      let path = try window.path(of: row.sorted)
      guard path == wanted else { throw Mismatch("\(row) is at \(path as Any) instead of \(wanted as Any)") }
      if let path, try window.rank(at: path) != number { throw Mismatch("the rank at \(path)") }
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
    for number in 0...sections.count {
      let keys = try window.ranks(ofSection: number).map { try window.keys(in: $0) }
      let wanted = number < sections.count ? inside.filter { $0.section == sections[number] }.map(\.sorted.bytes) : nil
      guard keys == wanted else { throw Mismatch("the rows of section \(number)") }
    }
  }
}

/// A row's key as three numbers.
private struct PlainKey: Equatable, Comparable {
  let section: Int
  let key: Int
  let id: Int
  let isSectioned: Bool

  var objectID: ObjectID { ObjectID(high: 1, low: UInt64(id)) }

  var sorted: SortedKey {
    let section = isSectioned ? PlainKey.sectionKey(section) : []
    var bytes = section
    SortKey.append(.integer(Int64(key)), order: .codepoint, isDescending: false, to: &bytes)
    bytes.append(objectID)
    return SortedKey(bytes: bytes, sectionSize: section.count)
  }

  var state: RowState { RowState(key: sorted, sectionName: isSectioned ? "s\(section)" : "") }

  static func sectionKey(_ section: Int) -> [UInt8] { [2, UInt8(section), 0] }

  static func random(_ id: Int, isSectioned: Bool, _ random: inout SeededRandom) -> PlainKey {
    PlainKey(section: random.number(0...5), key: random.number(0...6), id: id, isSectioned: isSectioned)
  }

  /// Makes about half of the rows of a range of numbers.
  static func random(_ ids: ClosedRange<Int>, isSectioned: Bool, _ random: inout SeededRandom) -> [PlainKey] {
    ids.filter { _ in random.isTrue(percent: 50) }.map { .random($0, isSectioned: isSectioned, &random) }
  }

  /// Moves, removes and adds some rows, or very few.
  static func changed(_ rows: [PlainKey], isSectioned: Bool, _ random: inout SeededRandom) -> [PlainKey] {
    var rows = rows
    let percent = random.pick([2, 30])
    for id in 0...70 where random.isTrue(percent: percent) {
      rows.removeAll { $0.id == id }
      if random.isTrue(percent: 60) { rows.append(.random(id, isSectioned: isSectioned, &random)) }
    }
    return rows
  }

  static func < (a: PlainKey, b: PlainKey) -> Bool {
    a.isSectioned && a.section != b.section ? a.section < b.section : (a.key, a.id) < (b.key, b.id)
  }
}
