import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime
@testable import DaybookTools

@Suite(.hangLimit) struct ActivityTests {
  private static let model = Model(entities: [
    Entity(
      name: "Recipe", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "type", target: "RecipeType", inverse: "recipes", isOptional: true)]),
    Entity(
      name: "RecipeType", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true)]),
    Entity(name: "Tag", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)]),
  ])

  /// Options of a store whose projections apply commits only on request.
  private static func options(knowing projection: ActivityProjection) -> StoreOptions {
    var options = StoreOptions()
    options.projections = [projection]
    options.followsProjections = false
    return options
  }

  private let clock = FixedClock(Timestamp("2026-01-01T12:00:00Z")!)

  private var options: StoreOptions {
    var options = Self.options(knowing: ActivityProjection())
    options.clock = clock.read
    return options
  }

  @Test func commitsAndEventsAreCountedByDayAuthorAndEntity() throws {
    try withTemporaryStore(Self.model, options: options) { store in
      try store.write(author: "ann") { tx in
        let cake = try tx.insert("Recipe", ["name": "cake"])
        try tx.relate(cake, "type", to: tx.insert("RecipeType", ["name": "Dessert"]))
        try tx.insert("Recipe", ["name": "pie"])
      }
      try store.write(CommitInfo(author: "bob", happenedAt: Timestamp("2025-12-31T23:59:59.999999Z"))) { tx in
        try tx.insert("Tag", ["name": "sweet"])
      }
      clock.advance(byMicroseconds: 86_400_000_000)
      try store.write(author: "ann") { try $0.insert("Tag", ["name": "sour"]) }
      let activity = try store.activity()
      #expect(activity.position == 4)
      #expect(activity.entries.map(\.day) == ["2025-12-31", "2026-01-01", "2026-01-02"])
      #expect(activity.entries.map(\.author) == ["bob", "ann", "ann"])
      // The commit of the model is not counted.
      #expect(activity.entries[1].amount == Activity.Amount(commits: 1, events: 4))
      #expect(activity.entries[1].entities.map(\.entity) == ["Recipe", "RecipeType"])
      #expect(activity.entries[1].entities[0].amount == Activity.Amount(commits: 1, events: 3))
      #expect(activity.total == Activity.Amount(commits: 3, events: 6))
      #expect(activity.authors.map(\.author) == ["ann", "bob"])
      #expect(activity.entities.first?.entity == "Recipe")
      #expect(try store.activity(author: "ann").total == Activity.Amount(commits: 2, events: 5))
      #expect(try store.activity(entity: "Tag").entries.map(\.author) == ["bob", "ann"])
      #expect(try store.activity(from: "2026-01-01", to: "2026-01-01").total.commits == 1)
      #expect(try store.activity(from: "2026-01-02", to: "2026-01-01").entries.isEmpty)
      for day in ["2026-1-1", "2026-02-30", "today", ""] {
        #expect(throws: StoreError.self) { try store.activity(from: day) }
      }
      #expect(throws: StoreError.self) { try store.activity(entity: "Nothing") }
    }
  }

  @Test func randomHistoriesAreCountedAsThePlainWayDoes() throws {
    try Seeds.run(3) { seed in
      var random = SeededRandom(seed: seed)
      let mode: ProjectionMode = random.isTrue(percent: 50) ? .inline : .catchUp
      var options = Self.options(knowing: ActivityProjection(mode: mode))
      options.clock = clock.read
      options.projectionBatchLimit = random.number(1...20)
      try withTemporaryStore(Self.model, options: options) { store in
        let authors = [nil, "ann", "bob", String(repeating: "c", count: 400), String(repeating: "c", count: 401)]
        for _ in 0..<60 {
          clock.advance(byMicroseconds: Int64(random.number(0...40_000)) * 1_000_000)
          let (author, count) = (random.pick(authors), random.number(1...4))
          try store.write(author: author) { tx in
            for _ in 0..<count { try tx.insert(random.pick(["Recipe", "Tag", "RecipeType"]), ["name": "x"]) }
          }
          if random.isTrue(percent: 10) { try store.projection("activity").catchUp() }
        }
        let activity = try store.activity()
        let expected = try plainCounts(store)
        let found = Dictionary(
          uniqueKeysWithValues: activity.entries.flatMap { entry in
            entry.entities.map { ("\(entry.day) \(entry.author ?? "-") \($0.entity)", $0.amount) }
              + [("\(entry.day) \(entry.author ?? "-")", entry.amount)]
          })
        guard found == expected else { throw Mismatch("\(found) is not \(expected)") }
        let days = Request(entity: "@ActivityDay")
        let rows = try store.fetch(days).rows
        try store.projection("activity").rebuild()
        guard try store.fetch(days).rows == rows else { throw Mismatch("rebuilt rows differ") }
        let faults = try store.verify().faults
        guard faults.isEmpty else { throw Mismatch("\(faults)") }
      }
    }
  }

  /// The rows are read as the objects of any entity are, without the code of the projection.
  @Test func rowsAreObjects() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: Self.model, options: options)
    try store.write(author: "ann") { tx in
      try tx.insert("Tag", ["name": "sweet"])
      try tx.insert("Recipe", ["name": "cake"])
    }
    try store.write { try $0.insert("Tag", ["name": "sour"]) }
    _ = try store.activity()
    store.close()
    let reader = try Store(at: path)
    defer { reader.close() }
    let found = try reader.fetch(
      Request(
        entity: "@ActivityDay", filter: try Filter(parsing: "day == '2026-01-01'"),
        sort: [SortTerm(path: ["author"]), SortTerm(path: ["entity"])]))
    #expect(found.position == 3)
    let plain = found.rows.map { row in ["author", "entity", "commits", "events"].map { row[$0] } }
    #expect(
      plain == [
        [.null, .null, .integer(1), .integer(1)], [.null, .string("Tag"), .integer(1), .integer(1)],
        [.string("ann"), .null, .integer(1), .integer(2)],
        [.string("ann"), .string("Recipe"), .integer(1), .integer(1)],
        [.string("ann"), .string("Tag"), .integer(1), .integer(1)],
      ])
  }

  /// Entities have their present names, and removed ones their tags, however old the events are.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func renamedAndRemovedEntitiesHaveTheirPresentNames(_ mode: ProjectionMode) throws {
    var options = Self.options(knowing: ActivityProjection(mode: mode))
    options.clock = clock.read
    try withTemporaryStore(Self.model, options: options) { store in
      try store.write { try $0.insert("Tag", ["name": "a"]) }
      clock.advance(byMicroseconds: 86_400_000_000)
      let kind = try store.write { try $0.insert("RecipeType", ["name": "b"]) }
      #expect(try store.activity().entries.map { $0.entities.map(\.entity) } == [["Tag"], ["RecipeType"]])
      var model = Self.model
      model.entities[2].name = "Label"
      model.entities[2].renamedFrom = "Tag"
      try store.apply(model)
      try store.write { try $0.delete(kind) }
      #expect(
        try store.activity().entries.map { $0.entities.map(\.entity) } == [["Label"], ["RecipeType"]])
      #expect(try store.activity(entity: "Label").total == Activity.Amount(commits: 1, events: 1))
      #expect(throws: StoreError.self) { try store.activity(entity: "Tag") }
      model.entities[2].renamedFrom = nil
      try store.apply(Model(entities: [model.entities[2]]))
      let names = try store.activity().entries.flatMap { $0.entities.map(\.entity) }
      #expect(names.count == 2 && names[0] == "Label" && names[1].hasPrefix("RecipeType#"))
      #expect(try store.verify().faults.isEmpty)
    }
  }

  /// Days before the year 0 and after the year 9999 are in their order, though their texts are not.
  @Test func daysOfAllYearsAreInTheirOrder() throws {
    try withTemporaryStore(Self.model, options: options) { store in
      let days = ["-0044-03-15", "0001-01-01", "1969-12-31", "2026-01-01", "+10000-01-01"]
      let times = [-63_549_000_000, -62_135_596_800, -1, 1_767_225_600, 253_402_300_800]
      for time in times.shuffled() {
        let happened = Timestamp(microseconds: Int64(time) * 1_000_000)
        try store.write(CommitInfo(happenedAt: happened)) { try $0.insert("Tag", ["name": "a"]) }
      }
      let found = try store.activity().entries.map(\.day)
      #expect(found.dropFirst() == days.dropFirst())
      #expect(found.first?.hasPrefix("-0044-") == true)
      #expect(try store.activity(from: "1000-01-01").entries.map(\.day) == Array(days.dropFirst(2)))
      #expect(try store.activity(to: "2026-01-01").entries.map(\.day) == found.dropLast())
    }
  }

  @Test func namesOfDaybooksEntitiesAreRefusedElsewhere() throws {
    struct Other: Projection {
      let name = "other"
      let version = 1
      let mode = ProjectionMode.inline
      let entities = [
        DerivedEntity(Entity(name: "@Day", attributes: [Attribute(name: "day", type: .string)]), key: ["day"])
      ]
      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) {}
    }
    let model = Model(entities: [Entity(name: "@Day", attributes: [Attribute(name: "day", type: .string)])])
    let error = try #require(throws: (any Error).self) { try withTemporaryStore(model) { _ in } }
    #expect("\(error)".contains("only Daybook's own entities do"), "\(error)")
    var options = StoreOptions()
    options.projections = [Other()]
    let refused = try #require(throws: StoreError.self) {
      try withTemporaryStore(Self.model, options: options) { _ in }
    }
    #expect(refused.code == .badModel && refused.message.contains("only Daybook's own entities do"))
  }

  @Test func sumsAreThoseOfAllEntries() throws {
    try withTemporaryStore(Self.model, options: options) { store in
      for (author, count) in [("ann", 2), ("bob", 1), ("ann", 3)] {
        try store.write(author: author) { tx in
          for _ in 0..<count { try tx.insert("Tag", ["name": "x"]) }
        }
      }
      clock.advance(byMicroseconds: 86_400_000_000)
      try store.write { try $0.insert("Tag", ["name": "nobody's"]) }
      let sums = try store.activity().sums
      #expect(sums["position"]?.integerValue == 5)
      #expect(
        sums["days"]?.text
          == #"[{"day": "2026-01-01", "commits": 3, "events": 6}, {"day": "2026-01-02", "commits": 1, "events": 1}]"#)
      #expect(
        sums["authors"]?.text
          == #"[{"author": "ann", "commits": 2, "events": 5}, {"author": null, "commits": 1, "events": 1}, {"author": "bob", "commits": 1, "events": 1}]"#
      )
    }
  }

  @Test func aHistogramLeavesNoCommitOut() throws {
    try Seeds.run(3) { seed in
      var random = SeededRandom(seed: seed)
      // The model, which is the first commit, has no events.
      let counts = [0] + (0..<random.number(1...40)).map { _ in random.number(1...5) }
      let spans = (0..<5).map { _ in
        let first = random.number(1...counts.count)
        return first...random.number(first...(counts.count + 3))
      }
      try withTemporaryStore(Self.model, options: options) { store in
        for count in counts.dropFirst() { try Self.insertTags(count, in: store) }
        for (span, binCount) in zip(spans, [1, 2, 7, counts.count, 1_000]) {
          try Self.checkHistogram(of: span, binCount: binCount, counts, store)
        }
        #expect(try store.read { try $0.histogram(from: 9_999, through: 10_000, binCount: 5) }.bins.isEmpty)
      }
    }
  }

  private static func insertTags(_ count: Int, in store: Store) throws {
    try store.write { tx in
      for _ in 0..<count { try tx.insert("Tag", ["name": "x"]) }
    }
  }

  private static func checkHistogram(
    of span: ClosedRange<Int>, binCount: Int, _ counts: [Int], _ store: Store
  ) throws {
    let (first, end) = (span.lowerBound, min(span.upperBound, counts.count))
    let found = try store.read {
      try $0.histogram(
        from: Position(UInt64(first)), through: Position(UInt64(span.upperBound)), binCount: binCount)
    }
    var next = first
    for bin in found.bins {
      let positions = Int(bin.first.number)...Int(bin.last.number)
      let events = positions.reduce(0) { $0 + counts[$1 - 1] }
      guard positions.lowerBound == next, bin.events == events else {
        throw Mismatch("\(bin) of \(counts), in \(binCount) of \(span)")
      }
      next = positions.upperBound + 1
    }
    guard next == end + 1, found.bins.count == min(binCount, end - first + 1), found.models == [1] else {
      throw Mismatch("\(found) of \(counts), in \(binCount) of \(span)")
    }
  }

  private func plainCounts(_ store: Store) throws -> [String: Activity.Amount] {
    var counts: [String: Activity.Amount] = [:]
    var log = try store.log()
    while let commit = try log.next() {
      if commit.events.isEmpty { continue }
      let day = "\(commit.happenedAt ?? commit.recordedAt)".prefix(10)
      let key = "\(day) \(commit.author ?? "-")"
      counts[key, default: Activity.Amount()].commits += 1
      counts[key, default: Activity.Amount()].events += commit.events.count
      for entity in Set(commit.events.map(\.entity)) {
        counts["\(key) \(entity)", default: Activity.Amount()].commits += 1
      }
      for event in commit.events { counts["\(key) \(event.entity)", default: Activity.Amount()].events += 1 }
    }
    return counts
  }
}
