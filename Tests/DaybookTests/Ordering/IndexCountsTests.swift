import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Compares bases that count an index's entries with bases that hold all sorted keys.
@Suite(.hangLimit) struct IndexCountsTests {
  private static let nameTests = [
    "", "F == 'b'", "F IN {'b'}", "F BETWEEN {'b', 'b'}", "F BETWEEN {'a', 'b2'}", "F BEGINSWITH 'b'", "F >= 'b'",
    "F == nil",
  ]
  private static let sorts = [
    [], ["name"], ["kind", "name"], ["kind:desc", "name"], ["name", "kind"], ["title"], ["kind", "title:desc"],
    ["file", "name"], ["name", "id:desc"], ["name", "id", "kind"],
  ]

  private static let model = RowModel.model([
    Index([.init(path: ["kind"]), .init(path: ["name"])]),
    Index([.init(path: ["kind"], .descending), .init(path: ["name"])]),
    Index([.init(path: ["kind"]), .init(path: ["title"], .descending)]), Index([.init(path: ["title"])]),
    Index([.init(path: ["kind"]), .init(path: ["file"]), .init(path: ["name"])]),
  ])

  @Test func countedAndHeldKeysAreTheSame() throws {
    try withTemporaryStore(Self.model) { store in
      var rows: [ObjectID] = []
      try store.write { tx in
        for kind in [.null, 1, 2] as [Value] {
          for name in RowModel.texts {
            rows.append(try tx.insert("Row", ["kind": kind, "name": name, "title": name, "file": name]))
          }
        }
      }
      var lists = try requests().map { try Pair($0, in: store) }
      #expect(lists.count { $0.isCounted } >= Rounds.of(130))
      #expect(lists.contains { $0.isCounted && $0.held.request.section != nil })
      for pair in lists { try pair.check(in: store) }
      // Rows are inserted, deleted and moved; the bases follow.
      for step in 0..<3 {
        let from = try store.position
        try store.write { tx in
          for (index, row) in rows.enumerated() where index % 5 == step {
            let name = RowModel.texts[(index + step) % RowModel.texts.count]
            try tx.set(row, ["kind": .integer(Int64(index % 3)), "name": name, "title": name, "file": name])
          }
          try tx.delete(rows.removeLast())
          for name in RowModel.texts { try tx.insert("Row", ["kind": 1, "name": name, "title": name, "file": name]) }
        }
        for index in lists.indices {
          try lists[index].follow(from: from, in: store)
          try lists[index].check(in: store)
        }
      }
    }
  }

  /// Rows whose section is the empty string are elsewhere in the index than in the result.
  @Test func aBaseWithSectionsIsOutgrownByAnEmptySection() throws {
    try withTemporaryStore(Self.model) { store in
      try store.write { tx in
        for kind in 1...3 {
          for title in ["a", "b"] { try tx.insert("Row", ["kind": .integer(Int64(kind)), "title": .string(title)]) }
        }
        try tx.insert("Row", ["kind": 1])
      }
      let request = Request(entity: "Row", section: SectionKey(path: ["title"]))
      var pair = try Pair(request, in: store)
      #expect(pair.isCounted)
      try pair.check(in: store)
      let from = try store.position
      try store.write { _ = try $0.insert("Row", ["title": ""]) }
      try pair.follow(from: from, in: store)
      #expect(pair.counted.isOutgrown)
      #expect(try !Pair(request, in: store).isCounted)
      let live = try store.liveResults(of: request)
      #expect(try live.sections.map(\.count) == [2, 3, 3])
    }
  }

  private func requests() throws -> [Request<StoredObject>] {
    var requests: [Request<StoredObject>] = []
    for kindTest in RowModel.kindTests {
      for (nameTest, field) in Self.nameTests.flatMap({ test in ["name", "title"].map { (test, $0) } }) {
        let text = [kindTest, nameTest.replacing("F", with: field)].filter { !$0.isEmpty }.joined(separator: " AND ")
        for sort in Self.sorts {
          for section in [nil, "kind", "title"] {
            requests.append(
              Request<StoredObject>(
                entity: "Row", filter: text.isEmpty ? nil : try Filter(parsing: text),
                sort: try sort.map { try SortTerm(parsing: $0) }, section: section.map { SectionKey(path: [$0]) }))
          }
        }
      }
    }
    return requests.indices.filter(Rounds.include).map { requests[$0] }
  }
}

/// The two bases of one request.
private struct Pair {
  let counted: RankBase
  let held: RankBase
  var isCounted: Bool { counted.countsIndex }

  init(_ request: Request<StoredObject>, in store: Store) throws {
    (counted, held) = try store.read { reader in
      let resolved = try reader.reader.resolve(request.fetch)
      return try (RankBase(resolved, in: reader.reader), RankBase(resolved, in: reader.reader, mayCount: false))
    }
  }

  mutating func follow(from start: Position, in store: Store) throws {
    try store.read { reader in
      let old = try reader.present.rewound(to: start, in: reader.journal, parts: .derived)
      let request = held.request
      let changes = try NetChanges(
        request, RequestDependents(request, in: reader.resolvedModel), from: start.next, through: reader.position,
        in: reader.journal, new: reader.reader
      ) { old.reader }
      for base in [counted, held] {
        base.apply(changes.moves)
        try base.settle(in: reader.reader)
      }
    }
  }

  func check(in store: Store) throws {
    if counted.isOutgrown { return }
    try store.read { reader in
      let keys = try held.keys(in: 0..<held.count, in: reader.reader)
      func require(_ isRight: Bool, _ name: String) throws {
        guard isRight else { throw Mismatch("\(name): \(held.request.request)") }
      }
      try require(counted.count == held.count, "count")
      try require(try reader.count(held.request.request) == held.count, "the count of a fetch")
      let sections = (counted.sections, held.sections)
      try require(Array(sections.0.keys) == Array(sections.1.keys), "sections")
      for key in sections.1.keys {
        try require(sections.0.rowCount(of: key) == sections.1.rowCount(of: key), "the rows of a section")
        try require(sections.0.name(of: key) == sections.1.name(of: key), "the name of a section")
        try require(try counted.rank(of: key, in: reader.reader) == held.rank(of: key, in: reader.reader), "its rank")
      }
      try require(try counted.keys(in: 0..<counted.count, in: reader.reader) == keys, "keys")
      let ids = try reader.fetch(held.request.request).rows.map(\.id)
      try require(try keys.map { try RowKey.trailingID(ofSorted: $0) } == ids, "ids")
      for (number, key) in keys.enumerated() {
        try require(try counted.rank(of: key, in: reader.reader) == number, "rank")
        try require(try counted.keys(in: number..<(number + 1), in: reader.reader) == [key], "key")
      }
    }
  }
}
