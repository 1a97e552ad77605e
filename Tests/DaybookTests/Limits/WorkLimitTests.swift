import DaybookModel
import DaybookTestSupport
import DaybookTools
import Synchronization
import Testing
import WorkLimits

@testable import Daybook
@testable import DaybookRuntime

/// Work that takes longer than its limit, of each kind.
@Suite(.hangLimit) struct WorkLimitTests {
  private static let model = Model(entities: [
    Entity(
      name: "Box", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "rows", target: "Row", inverse: "box", isMany: true)],
      rules: ["NOT ANY rows.name == \"bad\""]),
    Entity(
      name: "Row", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "text", type: .string, isOptional: true, rules: [.pattern("^(a+)*$")]),
      ],
      relationships: [
        Relationship(name: "box", target: "Box", inverse: "rows", isOptional: true),
        Relationship(name: "parent", target: "Row", inverse: "children", isOptional: true),
        Relationship(name: "children", target: "Row", inverse: "parent", isMany: true),
      ]),
  ])

  private static let box = ObjectID(high: 1, low: 1)
  private static func row(_ number: Int) -> ObjectID { ObjectID(high: 2, low: UInt64(number)) }
  /// More than the steps between two checks, several times.
  private static let count = 6_000
  private static let longText = String(repeating: "a", count: 20_000)

  /// Makes a store with a box of rows, and opens it with other options.
  private static func withRows(_ options: StoreOptions, _ body: (Store) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    var unlimited = StoreOptions()
    unlimited.writeEvaluationTimeLimit = nil
    let made = try Store.create(at: directory.path("store"), model: model, options: unlimited)
    try made.write(author: "maker") { tx in
      try tx.insert("Box", ["name": "box"], id: box)
      for number in 0..<count {
        try tx.insert("Row", ["name": .string("row \(number)")], id: row(number))
        try tx.relate(row(number), "box", to: box)
        if number > 0 { try tx.relate(row(number), "parent", to: row(number / 10)) }
      }
    }
    for number in 0..<3 { try made.write(author: "editor") { try $0.set(row(1), ["name": .string("edit \(number)")]) } }
    made.close()
    let store = try Store(at: directory.path("store"), options: options)
    defer { store.close() }
    try body(store)
    try closeAndVerify(store)
  }

  private static let unindexed = Request(entity: "Row", filter: filter("name CONTAINS \"x\""))
  private static let sorted = Request(entity: "Row", sort: [SortTerm(path: ["name"], .descending)])
  /// One row has a name of the editor, and its box has many rows.
  private static let wide = Request<StoredObject>(
    entity: "Row", filter: filter("name BEGINSWITH \"edit\" AND ANY box.rows.name == \"x\""))

  private static func filter(_ text: String) -> Filter {
    do { return try Filter(parsing: text) } catch { preconditionFailure("\(error)") }
  }

  /// Each kind of reading that can take long.
  private static let readings: [(name: String, read: @Sendable (Store) throws -> Void)] = [
    ("fetch", { _ = try $0.fetch(unindexed) }), ("count", { _ = try $0.count(unindexed) }),
    ("sort", { _ = try $0.fetch(sorted) }), ("the evaluation of one row", { _ = try $0.fetch(wide) }),
    ("each object", { _ = try $0.read { try $0.forEachObject(in: sorted.fetch) { _, _ in true } } }),
    (
      "sections",
      {
        _ = try $0.read {
          try $0.sections(
            of: Request(entity: "Row", sort: [SortTerm(path: ["name"])], section: SectionKey(path: ["name"])))
        }
      }
    ),
    ("the past", { _ = try $0.at(2).fetch(unindexed) }),
    ("difference", { _ = try $0.read { _ = try $0.difference(of: unindexed, from: 0, to: $0.position) } }),
    ("difference of all rows", { _ = try $0.read { _ = try $0.difference(of: sorted, from: 0, to: $0.position) } }),
    ("difference of a wide path", { _ = try $0.read { _ = try $0.difference(of: wide, from: 2, to: 3) } }),
    ("ids", { _ = try $0.read { _ = try $0.ids(of: sorted, at: $0.position) } }),
    ("tree", { _ = try $0.read { _ = try $0.treeIDs(ofTree: "children") } }),
    (
      "tree difference",
      { _ = try $0.read { _ = try $0.treeDifference(ofTree: "children", from: 0, to: $0.position) } }
    ),
    ("subtree", { _ = try $0.read { _ = try $0.subtree(of: row(0), over: "children") } }),
    ("bisect", { _ = try $0.bisect(unindexed) }), ("figures", { _ = try $0.statistics() }),
    ("state hash", { _ = try $0.stateHash() }), ("live results", { _ = try $0.liveResults(of: sorted) }),
    (
      "events of a commit",
      { try readAll(of: $0.log(where: CommitFilter(condition: filter("event.name == \"x\"")))) }
    ),
    ("measure", { _ = try $0.value(of: unindexed.count()) }),
    (
      "replay",
      {
        var replay = try $0.replay(of: wide)
        while try replay.next() != nil {}
      }
    ),
  ]

  /// Each kind of reading that walks over many commits.
  ///
  /// The activity is not among them: its projection applies commits once, and reads a row for each day and author.
  private static let walks: [(name: String, read: @Sendable (Store) throws -> Void)] = [
    ("log", { try readAll(of: $0.log()) }), ("log backward", { try readAll(of: $0.log(reversed: true)) }),
    ("log of an author", { try readAll(of: $0.log(where: CommitFilter(author: "nobody"))) }),
    ("log of a condition", { try readAll(of: $0.log(where: CommitFilter(condition: filter("metadata.a == 1")))) }),
    ("history", { try readAll(of: $0.history(of: row(0))) }),
    ("history backward", { try readAll(of: $0.history(of: row(0), reversed: true)) }),
    ("blame", { _ = try $0.blame(of: row(0)) }), ("trace", { _ = try $0.trace(of: $0.position) }),
    ("histogram", { _ = try $0.read { try $0.histogram(from: 1, through: $0.position, binCount: 10) } }),
  ]

  private static func readAll(of log: CommitLog) throws {
    var log = log
    while try log.next() != nil {}
  }

  /// A limit that is exceeded at one of its later checks, so that only loops can notice it.
  private static func limit(afterChecks count: Int) -> (WorkLimit, checks: @Sendable () -> Int) {
    let state = Mutex(0)
    let start = ContinuousClock.now
    let limit = WorkLimit(
      .seconds(1),
      now: {
        state.withLock { checks in
          checks += 1
          return checks > count ? start + .seconds(60) : start
        }
      }, isCancelled: { false })
    return (limit, { state.withLock { $0 } })
  }

  /// Checks that a reading observes its limit repeatedly, and is ended by it.
  private static func check(_ name: String, _ read: (Store) throws -> Void, _ store: Store) throws {
    // The first reading may make what later ones share.
    let (generous, checks) = limit(afterChecks: .max)
    try WorkLimit.$current.withValue(generous) { try read(store) }
    let count = checks()
    #expect(count > 4, "“\(name)” looks at its limit")
    let (limit, _) = limit(afterChecks: max(count / 2, 1))
    #expect("“\(name)” is ended") {
      try WorkLimit.$current.withValue(limit) { try read(store) }
    } throws: {
      (StoreError.translating($0) as? StoreError)?.code == .timedOut
    }
    try read(store)
  }

  @Test func readingThatTakesTooLongIsEnded() throws {
    try Self.withRows(StoreOptions()) { store in
      for (name, read) in Self.readings { try Self.check(name, read, store) }
    }
  }

  @Test func readingOfManyCommitsThatTakesTooLongIsEnded() throws {
    let directory = try TemporaryDirectory()
    let store = try Store.create(at: directory.path("store"), model: Self.model)
    try store.batch { batch in
      try batch.commit { try $0.insert("Row", ["name": "row"], id: Self.row(0)) }
      for number in 0..<Self.count {
        try batch.commit(CommitInfo(causedBy: .position(batch.head))) {
          try $0.set(Self.row(0), ["name": .string("row \(number)")])
        }
      }
    }
    for (name, read) in Self.walks { try Self.check(name, read, store) }
    try closeAndVerify(store)
  }

  @Test func aCallerLimitsReading() throws {
    try Self.withRows(StoreOptions()) { store in
      let error = try #require(throws: StoreError.self) {
        try withTimeLimit(.nanoseconds(1)) { try store.fetch(Self.unindexed) }
      }
      #expect(error.code == .timedOut && error.advice != nil)
      #expect(try withTimeLimit(.seconds(60)) { try store.count(Self.unindexed) } == 0)
    }
  }

  @Test func aCancelledTaskEndsItsReading() async throws {
    let limit = WorkLimit(nil, isCancelled: { true })
    try Self.withRows(StoreOptions()) { store in
      #expect(throws: CancellationError.self) {
        try WorkLimit.$current.withValue(limit) { try store.fetch(Self.unindexed) }
      }
    }
  }

  /// Each kind of write that evaluates something.
  private static let writes: [(name: String, write: @Sendable (Store) throws -> Void)] = [
    (
      "condition",
      { _ = try $0.write(CommitInfo(when: .unchanged(unindexed, since: 1))) { try $0.insert("Row", ["name": "new"]) } }
    ),
    ("fetch", { _ = try $0.write { _ = try $0.fetch(unindexed) } }),
    ("count", { _ = try $0.write { _ = try $0.count(unindexed) } }),
    ("set where", { _ = try $0.write { try $0.set(where: unindexed, ["name": "new"]) } }),
    ("delete where", { _ = try $0.write { try $0.delete(where: unindexed) } }),
    ("rule of an entity", { _ = try $0.write { try $0.set(row(5), ["name": "new"]) } }),
    ("pattern", { _ = try $0.write { try $0.insert("Row", ["name": "new", "text": .string(longText)]) } }),
    ("batch", { _ = try $0.batch { try $0.commit { try $0.set(row(5), ["name": "new"]) } } }),
    (
      "model",
      {
        var model = WorkLimitTests.model
        model.entities[1].rules = ["name != \"worse\""]
        try $0.apply(model)
      }
    ),
    (
      "model with a long default",
      {
        var model = WorkLimitTests.model
        model.entities[1].attributes[1].defaultValue = .string(longText)
        try $0.apply(model, checking: .newValues)
      }
    ),
    ("undo", { _ = try $0.undo(.last(of: "editor")) }), ("revert", { _ = try $0.undo(.commit(5)) }),
    (
      "context",
      {
        let context = try $0.makeContext()
        try context.set(row(5), ["name": "new"])
        _ = try context.save()
      }
    ),
  ]

  @Test func aWriteThatTakesTooLongWritesNothing() throws {
    var options = StoreOptions()
    options.writeEvaluationTimeLimit = .nanoseconds(1)
    try Self.withRows(options) { store in
      for (name, write) in Self.writes {
        let head = try store.position
        #expect("“\(name)” is refused") { try write(store) } throws: { ($0 as? StoreError)?.code == .timedOut }
        #expect(try store.position == head, "“\(name)” writes nothing")
        // Other writes succeed: an object that no rule with many objects is about.
        try store.write { try $0.insert("Row", ["name": "other"]) }
      }
    }
  }

  @Test func aWriteWaitsForOtherWritersAsLongAsItsCallerHasTime() throws {
    try Self.withRows(StoreOptions()) { store in
      let (head, other) = (try store.position, try OpenWrite(to: store))
      let error = try #require(throws: StoreError.self) {
        try withTimeLimit(.seconds(60)) {
          try withTimeLimit(.milliseconds(20)) { try store.write { try $0.insert("Row", ["name": "late"]) } }
        }
      }
      #expect(error.code == .busy)
      #expect(try store.position == head)
      try other.end()
      try withTimeLimit(.seconds(60)) { try store.write { try $0.insert("Row", ["name": "in time"]) } }
      #expect(try store.position == head.next)
    }
  }

  @Test func aWriteThatTakesTooLongIsDroppedAlone() async throws {
    var options = StoreOptions()
    options.writeEvaluationTimeLimit = .nanoseconds(1)
    let directory = try TemporaryDirectory()
    let store = try Store.create(at: directory.path("store"), model: Self.model, options: options)
    defer { store.close() }
    let text = Self.longText
    async let quick: ObjectID = store.write { try $0.insert("Row", ["name": "quick"]) }
    await #expect(throws: StoreError.self) {
      try await store.write { try $0.insert("Row", ["name": "slow", "text": .string(text)]) }
    }
    _ = try await quick
    #expect(try store.fetch(Request(entity: "Row")).rows.map { $0["name"] } == ["quick"])
  }

  @Test func aPatternThatIsRefusedLeavesAStoreReadable() throws {
    try Self.withRows(StoreOptions()) { store in
      var declared = Self.model
      declared.entities[1].attributes[1].rules = [.pattern("(?=a)a")]
      let model = declared
      #expect(throws: StoreError.self) { try store.apply(model) }
      // As an earlier version would have written it.
      try store.writer.write { session in
        let change = try session.model.evolved(to: model)
        _ = try session.commit(model: change.model, CommitInfo())
      }
      #expect(try store.count(Request(entity: "Row")) == Self.count)
      let error = try #require(throws: StoreError.self) { try store.write { try $0.set(Self.row(1), ["text": "a"]) } }
      #expect(error.code == .badModel && error.message.contains("looking ahead") && error.message.contains("Row.text"))
      try store.apply(Self.model)
      try store.write { try $0.set(Self.row(1), ["text": "a"]) }
    }
  }
}
