import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Many live requests that share what they read of a commit, each compared with a plain model.
@Suite(.hangLimit) struct SharedChangesTests {
  private static let model = Model(entities: [
    Entity(
      name: "Row", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "kind", type: .integer),
        Attribute(name: "size", type: .integer, isOptional: true),
      ],
      indexes: [Index([SortTerm(path: ["kind"]), SortTerm(path: ["size"])]), Index([SortTerm(path: ["name"])])]),
    Entity(name: "Other", attributes: [Attribute(name: "kind", type: .integer)]),
  ])

  /// A row of the plain model.
  private struct Row: Equatable {
    var name: String
    var kind: Int64
    var size: Int64?
  }

  /// A request, and what it means for the plain model.
  private struct Asked {
    let request: Request<StoredObject>
    let matches: (Row) -> Bool
    let isSortedByName: Bool
    let isSectioned: Bool

    init(_ random: inout SeededRandom) throws {
      let (kind, size) = (Int64(random.number(0...2)), Int64(random.number(0...9)))
      isSortedByName = random.isTrue(percent: 50)
      isSectioned = random.isTrue(percent: 30)
      let form = random.number(0...3)
      let texts = ["kind == \(kind)", "kind == \(kind) AND size > \(size)", "size <= \(size) OR kind == \(kind)", ""]
      matches = { row in
        switch form {
        case 0: row.kind == kind
        case 1: row.kind == kind && row.size.map { $0 > size } ?? false
        case 2: row.size.map { $0 <= size } ?? false || row.kind == kind
        default: true
        }
      }
      request = Request<StoredObject>(
        entity: "Row", filter: texts[form].isEmpty ? nil : try Filter(parsing: texts[form]),
        sort: [SortTerm(path: [isSortedByName ? "name" : "size"])],
        section: isSectioned ? SectionKey(path: ["kind"]) : nil,
        limit: random.isTrue(percent: 30) ? random.number(1...8) : nil,
        offset: random.isTrue(percent: 20) ? random.number(0...5) : 0)
    }

    func result(of rows: [ObjectID: Row]) -> SectionedIDs<ObjectID> {
      let sorted = rows.filter { matches($0.value) }.sorted { a, b in
        if isSectioned, a.value.kind != b.value.kind { return a.value.kind < b.value.kind }
        if isSortedByName {
          if a.value.name != b.value.name { return a.value.name < b.value.name }
        } else if a.value.size != b.value.size {
          // Null comes first.
          return (a.value.size ?? .min) < (b.value.size ?? .min)
        }
        return a.key < b.key
      }
      let window = Array(sorted.dropFirst(request.offset).prefix(request.limit ?? .max))
      guard isSectioned else { return SectionedIDs(unsectioned: window.map(\.key)) }
      var sections: [ListSection<ObjectID>] = []
      for kind in Set(window.map(\.value.kind)).sorted() {
        sections.append(.init(name: "\(kind)", rows: window.filter { $0.value.kind == kind }.map(\.key)))
      }
      return SectionedIDs(sections: sections)
    }
  }

  /// Live results, with the rows that their differences led to.
  private final class Follower {
    let asked: Asked
    let results: LiveResults<StoredObject>
    private let everyCommit: Bool
    var shown: SectionedIDs<ObjectID>

    init(_ asked: Asked, in store: Store, everyCommit: Bool, states: [[ObjectID: Row]]) throws {
      self.asked = asked
      self.everyCommit = everyCommit
      results = try store.liveResults(of: asked.request, granularity: everyCommit ? .everyCommit : .coalesced)
      shown = asked.result(of: states[Int(results.position.number)])
    }

    /// Reads all differences, and compares each state on the way.
    func update(_ states: [[ObjectID: Row]]) throws {
      while let change = try results.update() {
        shown = try shown.applying(change.difference)
        try check(states)
        // Shared changes of an earlier commit must not stand for the changes of all commits.
        guard everyCommit || results.position.number == states.count - 1 else {
          throw Mismatch("one change leads only to \(results.position)")
        }
      }
      try check(states)
      guard results.position.number == states.count - 1 else { throw Mismatch("it stays at \(results.position)") }
    }

    func check(_ states: [[ObjectID: Row]]) throws {
      let wanted = asked.result(of: states[Int(results.position.number)])
      guard shown == wanted else { throw Mismatch("\(asked.request): \(shown) instead of \(wanted)") }
      let read = try SectionedIDs(results.fetched(), asked.request)
      guard read == wanted else { throw Mismatch("\(asked.request): it reads \(read) instead of \(wanted)") }
    }
  }

  @Test func eachOfManyRequestsShowsItsOwnRowsAfterEachCommit() throws {
    try Seeds.run(Rounds.of(12)) { seed in
      var random = SeededRandom(seed: seed)
      var options = StoreOptions()
      options.durability = .relaxed
      // Bases that count an index, bases of keys, and some that are one and then the other.
      options.keptKeyCount = random.pick([0, 2, 256])
      try withTemporaryStore(Self.model, options: options) { store in
        // The states by position; position 1 is the model.
        var states: [[ObjectID: Row]] = [[:], [:]]
        var followers: [Follower] = []
        for _ in 0..<60 {
          if followers.count < 12 {
            followers.append(
              try Follower(Asked(&random), in: store, everyCommit: random.isTrue(percent: 25), states: states))
          }
          for _ in 0..<random.pick([0, 1, 1, 1, 2, 3]) {
            try commit(to: store, &states, &random)
          }
          if random.isTrue(percent: 5) {
            try store.keeper.discardProjections(store.keeper.currentProjections)
          }
          if random.isTrue(percent: 20), let follower = followers.randomElement(using: &random) {
            try visitPast(follower, states, &random)
          }
          for follower in followers where random.isTrue(percent: 70) { try follower.update(states) }
          if followers.count > 4, random.isTrue(percent: 10) { followers.removeFirst() }
        }
        for follower in followers { try follower.update(states) }
      }
    }
  }

  private func commit(to store: Store, _ states: inout [[ObjectID: Row]], _ random: inout SeededRandom) throws {
    var rows = states[states.count - 1]
    try store.write { tx in
      try tx.insert("Other", ["kind": 1])
      for _ in 0..<random.pick([0, 1, 1, 1, 2, 5]) {
        let row = Row(
          name: random.pick(["a", "b", "c", "", "ab"]), kind: Int64(random.number(0...2)),
          size: random.isTrue(percent: 80) ? Int64(random.number(0...9)) : nil)
        let known = rows.keys.sorted()
        if known.isEmpty || random.isTrue(percent: known.count < 20 ? 50 : 25) {
          let values: [String: Value] = [
            "name": .string(row.name), "kind": .integer(row.kind), "size": row.size.map { .integer($0) } ?? .null,
          ]
          rows[try tx.insert("Row", values)] = row
        } else if random.isTrue(percent: 20) {
          let id = random.pick(known)
          try tx.delete(id)
          rows[id] = nil
        } else {
          let id = random.pick(known)
          if random.isTrue(percent: 50) {
            try tx.set(id, ["size": row.size.map { .integer($0) } ?? .null])
            rows[id]?.size = row.size
          } else {
            try tx.set(id, ["kind": .integer(row.kind), "name": .string(row.name)])
            rows[id]?.kind = row.kind
            rows[id]?.name = row.name
          }
        }
      }
    }
    states.append(rows)
  }

  /// Moves results to an earlier position and back, and compares both differences.
  private func visitPast(
    _ follower: Follower, _ states: [[ObjectID: Row]], _ random: inout SeededRandom
  ) throws {
    let target = Position(UInt64(random.number(1...(states.count - 1))))
    if let change = try follower.results.move(to: target) {
      follower.shown = try follower.shown.applying(change.difference)
    }
    try follower.check(states)
    guard try follower.results.update() == nil else { throw Mismatch("it leaves its position") }
    if let change = try follower.results.move(to: nil) {
      follower.shown = try follower.shown.applying(change.difference)
    }
    try follower.check(states)
  }

  @Test func aSmallResultThatGrowsIsCountedByItsIndex() throws {
    var options = StoreOptions()
    options.keptKeyCount = 3
    try withTemporaryStore(Self.model, options: options) { store in
      let request = Request<StoredObject>(
        entity: "Row", filter: try Filter(parsing: "kind == 1"), sort: [SortTerm(path: ["size"])])
      let results = try store.liveResults(of: request)
      for number in 0..<40 {
        let id = try store.write { try $0.insert("Row", ["name": "a", "kind": 1, "size": .integer(Int64(-number))]) }
        let change = try #require(try results.update())
        #expect(change.difference.rows == [.insert(id, to: RowPath(section: 0, row: 0))])
        #expect(try results.count == number + 1)
      }
    }
  }

  /// Commits of another process do not pass through this one, which must notice that the shared changes are not the last.
  @Test func requestsThatShareChangesFollowTheCommitsOfAnotherProcess() throws {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: CrashRun.model)
    try store.write { try $0.insert("Tag", ["name": "all"]) }
    let all = try (0..<6).map { number in
      try store.liveResults(
        of: Request<StoredObject>(
          entity: "Note", filter: try Filter(parsing: "size >= -\(number)"), sort: [SortTerm(path: ["size"])]))
    }
    let writer = KilledWriter(seed: seed, first: 0)
    try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1)
    while try store.position < 400 {
      for results in all where random.isTrue(percent: 60) {
        let head = try store.position
        try results.update()
        #expect(results.position >= head, "seed \(seed)")
      }
    }
    _ = try writer.kill()
    for results in all {
      while try results.update() != nil {}
      #expect(try results.fetched() == store.fetch(results.request), "seed \(seed)")
    }
  }

  @Test func aClosedStoreHasNoChanges() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: Self.model)
    let results = try store.liveResults(of: Request(entity: "Row"))
    let others = try store.liveResults(of: Request(entity: "Row", sort: [SortTerm(path: ["name"])]))
    try store.write { _ = try $0.insert("Row", ["name": "a", "kind": 1]) }
    #expect(try results.update() != nil)
    store.close()
    #expect(throws: StoreError.self) { try others.update() }
  }
}
