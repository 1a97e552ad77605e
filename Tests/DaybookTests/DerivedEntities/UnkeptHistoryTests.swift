import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Projections that keep no history: reading the past folds them again.
@Suite(.hangLimit) struct UnkeptHistoryTests {
  private let months = Request(
    entity: "AuthorMonth", sort: [SortTerm(path: ["month"])], section: SectionKey(path: ["month"]))

  /// Options with the projection, of which the changes of the last three commits are kept.
  private func options(_ mode: ProjectionMode = .catchUp, keepsHistory: Bool = false, version: Int = 1) -> StoreOptions
  {
    var options = StoreOptions.knowing(MonthProjection(version: version, mode: mode, keepsHistory: keepsHistory))
    options.keptCommitCount = 3
    return options
  }

  /// Writes twelve commits of revisions, and reads the rows after each.
  private func fill(_ store: Store) throws -> [Position: SectionedIDs<ObjectID>] {
    var states: [Position: SectionedIDs<ObjectID>] = [:]
    for number in 1...12 {
      let position = try store.write {
        _ = try $0.insert("Revision", ["month": .string("\(number % 5)"), "size": .integer(Int64(number))])
        return $0.position
      }
      try store.projection("author-months").catchUp()
      states[position] = try store.read { try $0.ids(of: months, at: position) }
    }
    return states
  }

  private func changeCount(_ store: Store) throws -> Int {
    let table = try #require(
      try store.keeper.projectionsEnvironment.openTables(["projection/author-months.1.changes"]).first ?? nil)
    return try store.keeper.projectionsEnvironment.withSnapshot { try $0.entryCount(in: table) }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func everyPositionIsReadAsItWas(_ mode: ProjectionMode) throws {
    try withTemporaryStore(MonthProjection.model, options: options(mode)) { store in
      let states = try fill(store)
      #expect(try changeCount(store) == 3)
      #expect(try store.keeper.histories.withLock { $0.isEmpty })
      for (position, ids) in states { #expect(try store.read { try $0.ids(of: months, at: position) } == ids) }
      #expect(try store.keeper.histories.withLock { $0.count } == 1)
      // The folded rows continue with the store's.
      for (position, ids) in try fill(store) { #expect(try store.read { try $0.ids(of: months, at: position) } == ids) }
      for (from, old) in states {
        let change = try store.read { try $0.difference(of: months, from: from, to: 13) }
        #expect(try old.applying(change.difference) == states[13])
      }
      #expect(try changeCount(store) == 3)
      try closeAndVerify(store)
    }
  }

  @Test func feedResumesFromAPositionBeforeTheKeptChanges() throws {
    try withTemporaryStore(MonthProjection.model, options: options()) { store in
      try store.write { _ = try $0.insert("Revision", ["month": "7"]) }
      try store.projection("author-months").catchUp()
      let first = try #require(try FeedPoller(store.together([.rows(of: months.fetch)])).poll())
      let cursor = try #require(FeedCursor(first.cursor.description))
      let before = try store.read { try $0.ids(of: months, at: first.to) }
      let states = try fill(store)
      let poller = FeedPoller(store.together([.rows(of: months.fetch)], from: cursor))
      let step = try #require(try poller.poll())
      let change = try #require(step.change(of: months))
      #expect(!change.isReset && change.from == 2 && change.to == 14)
      #expect(try before.applying(change.difference) == states[14])
      #expect(try poller.poll() == nil)
    }
  }

  @Test func liveListFollowsWithoutFolding() throws {
    try withTemporaryStore(MonthProjection.model, options: options(.inline)) { store in
      try store.write { _ = try $0.insert("Revision", ["month": "7"]) }
      let list = try store.liveResults(of: months)
      for number in 0..<8 {
        try store.write { _ = try $0.insert("Revision", ["month": .string("\(number)")]) }
        #expect(try #require(try list.update()).isReset == false)
      }
      #expect(try store.keeper.histories.withLock { $0.isEmpty })
      #expect(try list.move(to: 3) != nil && list.count == 2)
    }
  }

  @Test func processWithoutTheCodeReadsWhatIsKept() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: MonthProjection.model, options: options())
    let states = try fill(store)
    let changed = try #require(try store.fetch(months).rows.first { $0["month"] == .string("1") })
    #expect(try store.blame(of: changed.id).lines.contains { $0.name == "month" && $0.position == 2 })
    store.close()
    let other = try Store(at: store.path)
    #expect(try other.fetch(months).rows.count == 5)
    #expect(try other.read { try $0.ids(of: months, at: 12) } == states[12])
    let error = try #require(throws: StoreError.self) { try other.at(4).fetch(months) }
    #expect(error.code == .notBuilt && error.message.contains("author-months"))
    let verification = try other.verify()
    #expect(verification.faults.isEmpty && verification.notes.contains { $0.contains("keeps no history") })
    other.close()
  }

  @Test func rowsAreBuiltAgainWithTheirHistory() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: MonthProjection.model, options: options())
    let states = try fill(store)
    store.close()
    let again = try Store(at: store.path, options: options(keepsHistory: true))
    try again.projection("author-months").catchUp()
    try closeAndVerify(again)
    let other = try Store(at: store.path)
    for (position, ids) in states { #expect(try other.read { try $0.ids(of: months, at: position) } == ids) }
    other.close()
  }

  @Test func projectionWithoutHistoryIsReadByNone() throws {
    var options = options()
    options.projections.append(TotalProjection())
    try withTemporaryStore(MonthProjection.model) { store in
      store.close()
      let error = try #require(throws: StoreError.self) { try Store(at: store.path, options: options) }
      #expect(error.code == .badModel && error.message.contains("keeps no history"))
    }
  }
}
