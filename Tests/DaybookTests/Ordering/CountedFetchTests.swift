import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Counts and offsets of fetches, compared with the whole result.
@Suite(.hangLimit) struct CountedFetchTests {
  private static let model = RowModel.model([
    Index([.init(path: ["kind"]), .init(path: ["name"])]), Index([.init(path: ["name"])]),
    Index([.init(path: ["title"], .descending)]),
  ])

  private static let filters = [
    "", "kind == 1", "kind IN {1, 2}", "kind IN {0, 1, 5}", "kind > 1", "name BEGINSWITH 'b'",
    "name >= 'b' AND name < 'c'", "kind == 2 AND name > 'a'", "kind == nil", "title != nil", "kind == 9", "name == nil",
  ]
  private static let sorts = [
    [], ["name"], ["kind", "name"], ["kind:desc", "name"], ["title:desc"], ["name:desc", "id:desc"], ["createdAt"],
  ]

  @Test func windowsAreTheSlicesOfTheWholeResult() throws {
    try SeededRandom.run { random in
      try withTemporaryStore(Self.model) { store in
        try fill(store, &random, hasLongNames: false)
        try check(store, &random)
        // Keys that are cut do not determine the order.
        try fill(store, &random, hasLongNames: true)
        try check(store, &random)
      }
    }
  }

  private func fill(_ store: Store, _ random: inout SeededRandom, hasLongNames: Bool) throws {
    let padding = hasLongNames ? String(repeating: "b", count: 600) : ""
    try store.write { tx in
      for _ in 0..<(hasLongNames ? 100 : 1_500) {
        let name: Value =
          random.isTrue(percent: 10)
          ? random.pick([.null, ""]) : .string("\(random.pick(["a", "b", "c"]))\(padding)\(random.number(0...200))")
        try tx.insert(
          "Row", ["kind": random.pick([.null, 0, 1, 2, 3]), "name": name, "title": random.pick(RowModel.texts)])
      }
    }
  }

  private func check(_ store: Store, _ random: inout SeededRandom) throws {
    var cases: [(String, [String], String?)] = []
    for filter in Self.filters {
      for sort in Self.sorts { for section in [nil, "kind", "name"] { cases.append((filter, sort, section)) } }
    }
    for (filter, sort, section) in cases.indices.filter(Rounds.include).map({ cases[$0] }) {
      var request = Request<StoredObject>(
        entity: "Row", filter: filter.isEmpty ? nil : try Filter(parsing: filter),
        sort: try sort.map { try SortTerm(parsing: $0) }, section: section.map { SectionKey(path: [$0]) })
      let all = try rows(request, in: store)
      for _ in 0..<4 {
        request.offset = random.pick([0, 1, 255, 256, 300, max(all.count - 1, 0), all.count, 5_000])
        request.limit = random.pick([nil, 0, 1, 20])
        let wanted = Array(all.dropFirst(request.offset).prefix(request.limit ?? .max))
        guard try rows(request, in: store) == wanted else { throw Mismatch("the rows of \(request)") }
        let count = try store.read { try $0.count(request) }
        guard count == wanted.count else { throw Mismatch("\(count) instead of \(wanted.count) rows of \(request)") }
      }
    }
  }

  private func rows(_ request: Request<StoredObject>, in store: Store) throws -> [String] {
    try store.read { reader in
      try reader.fetch(request).sections.flatMap { section in section.rows.map { "\(section.name) \($0.id)" } }
    }
  }

  @Test func aPastPositionAndAnOpenWriteAreCountedToo() throws {
    try withTemporaryStore(Self.model) { store in
      try store.write { tx in for _ in 0..<300 { try tx.insert("Row", ["kind": 1, "name": "a"]) } }
      let before = try store.position
      try store.write { tx in
        for _ in 0..<100 { try tx.insert("Row", ["kind": 1, "name": "b"]) }
      }
      var request = Request<StoredObject>(
        entity: "Row", filter: try Filter(parsing: "kind == 1"), sort: [SortTerm(path: ["name"])])
      #expect(try store.read { try $0.count(request) } == 400)
      #expect(try store.read { try $0.read(at: before) { try $0.count(request) } } == 300)
      request.offset = 290
      #expect(try store.read { try $0.fetch(request).rows.count } == 110)
      #expect(try store.read { try $0.read(at: before) { try $0.fetch(request).rows.count } } == 10)
    }
  }
}
