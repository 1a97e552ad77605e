import DaybookEngine
import DaybookTestSupport
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct LogTests {
  private let directory: TemporaryDirectory
  private let store: Store
  private let type: ObjectID
  private let cake: ObjectID
  private let pie: ObjectID

  init() throws {
    directory = try TemporaryDirectory()
    let model = Model(entities: [
      Entity(
        name: "Recipe", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "type", target: "Type", inverse: "recipes", isOptional: true)]),
      Entity(
        name: "Type", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true)]),
    ])
    var options = StoreOptions()
    let start = Timestamp("2026-01-01")!.microseconds
    let clock = TestClock(start)
    options.clock = { clock.next() }
    store = try Store(at: directory.path("s"), model: model, options: options)
    let store = store
    type = try store.write(author: "editor") { try $0.insert("Type", ["name": "Dessert"]) }  // 2
    cake = try store.write { try $0.insert("Recipe", ["name": "Cake"]) }  // 3
    pie = try store.write { try $0.insert("Recipe", ["name": "Pie"]) }  // 4
    let (type, cake, pie) = (type, cake, pie)
    try store.write { try $0.relate(cake, "type", to: type) }  // 5
    try store.write { try $0.rename(pie, to: "Apple pie") }  // 6
    try store.write { tx in  // 7
      try tx.rename(cake, to: "Chocolate cake")
      try tx.relate(pie, "type", to: type)
    }
    try store.write { try $0.delete(cake) }  // 8
  }

  private func positions(_ log: CommitLog) throws -> [Position] {
    var log = log
    var positions: [Position] = []
    while let commit = try log.next() { positions.append(commit.position) }
    return positions
  }

  @Test func rangesIncludeBothEnds() throws {
    #expect(try positions(store.log()) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try positions(store.log(from: 3, to: 5)) == [3, 4, 5])
    #expect(try positions(store.log(from: 3, to: 5, reversed: true)) == [5, 4, 3])
    #expect(try positions(store.log(reversed: true, limit: 2)) == [8, 7])
    #expect(try positions(store.log(from: 7, to: 99)) == [7, 8])
    #expect(try positions(store.log(from: 9)) == [])
    #expect(try positions(store.log(from: 5, to: 4)) == [])
    #expect(try positions(store.log(limit: 0)) == [])
    #expect(try positions(store.log(from: 0, to: 0)) == [])
  }

  @Test func pagesFollowEachOther() throws {
    for number in 0..<600 { try store.write { try $0.rename(pie, to: "Pie \(number)") } }
    let all = (1...608).map { Position($0) }
    #expect(try positions(store.log()) == all)
    #expect(try positions(store.log(reversed: true)) == all.reversed())
    #expect(try positions(store.history(of: pie)).count == 603)
    #expect(try positions(store.history(of: pie, reversed: true)) == positions(store.history(of: pie)).reversed())
  }

  @Test func noMoreCommitsAreReadThanAreWanted() throws {
    let head = try store.position
    let all = (1...head.number).map { Position($0) }
    let walk = try store.selection(naming: cake, from: 1, through: head, reversed: true)
    for selection in [.range(1, head), .range(head, 1), .list(all[...]), walk] as [CommitSelection] {
      var pages = CommitPages(store, selection)
      var whole = CommitPages(store, selection)
      let count = try whole.next().count
      #expect(count > 1)
      #expect(try pages.next(atMost: 1).count == 1)
      #expect(try pages.next().count == count - 1)
    }
  }

  @Test func aHistoryReadsNoMoreCommitsThanAreWanted() throws {
    // A commit that cannot be read, before the one that is wanted.
    try store.files.writeJournal { transaction in
      try transaction.put(JournalKey(position: 6, chunk: 0).bytes, [1, 2, 3], in: store.files.journalTables.journal)
    }
    #expect(try positions(store.history(of: pie, reversed: true, limit: 1)) == [7])
    #expect(throws: StoreError.self) { try positions(store.history(of: pie, reversed: true)) }
  }

  @Test func aHistoryIsWhatNamesTheObject() throws {
    #expect(try positions(store.history(of: cake)) == [3, 5, 7, 8])
    #expect(try positions(store.history(of: type)) == [2, 5, 7, 8])
    #expect(try positions(store.history(of: pie, reversed: true, limit: 2)) == [7, 6])
    #expect(try positions(store.history(of: type, from: 3, to: 7)) == [5, 7])
    #expect(try positions(store.history(of: type, from: 3, to: 7, reversed: true)) == [7, 5])
    #expect(try positions(store.history(of: type, to: 4, reversed: true, limit: 1)) == [2])
    var history = try store.history(of: cake)
    var kinds: [[Event.Kind]] = []
    while let commit = try history.next() { kinds.append(commit.events.map(\.kind)) }
    #expect(kinds == [[.inserted], [.related], [.renamed], [.unrelated, .deleted]])
    #expect(throws: StoreError.self) { try store.history(of: ObjectID(high: 1, low: 1)) }
  }

  @Test func aHistoryIsWhatALogShowsOfTheObject() throws {
    let seed = Seeds.one
    let store = try Store(at: directory.path("r"), model: RandomHistory.model)
    var history = RandomHistory(store, seed: seed)
    try history.write(150)
    var expected: [ObjectID: [Position: [Event]]] = [:]
    var log = try store.log()
    while let commit = try log.next() {
      for event in commit.events {
        for id in Set([event.object, event.link?.from, event.link?.to].compactMap { $0 }) {
          expected[id, default: [:]][commit.position, default: []].append(event)
        }
      }
    }
    for (id, commits) in expected {
      var history = try store.history(of: id)
      var found: [Position: [Event]] = [:]
      while let commit = try history.next() { found[commit.position] = commit.events }
      #expect(found == commits, "DAYBOOK_SEED=\(seed)")
    }
  }

  @Test func aTimeIsTheLastCommitNotRecordedAfterIt() throws {
    var log = try store.log()
    while let commit = try log.next() {
      #expect(try store.position(at: commit.recordedAt.description) == commit.position)
    }
    #expect(try store.position(at: "1990-01-01") == 0)
    #expect(try store.position(at: "3000-01-01T00:00:00Z") == 8)
    #expect(try store.position(at: "head") == 8)
    #expect(try store.position(at: "0") == 0)
    #expect(try store.position(at: "8") == 8)
    for text in ["9", "99999999999999999999999", "", "soon", "-1"] {
      #expect(throws: StoreError.self) { try store.position(at: text) }
    }
  }

  @Test func linesAreThoseOfTheCommandReference() throws {
    var log = try store.log(from: 2, to: 2)
    let commit = try store.log(from: 2, to: 2).firstCommit()
    var bytes: [UInt8] = []
    #expect(try log.writeNext(.log, to: &bytes))
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"position": 2, "commitID": null, "recordedAt": "\(commit.recordedAt)", "happenedAt": null, \
        "author": "editor", "message": null, "previousHash": "\(commit.previousHash)", "hash": "\(commit.hash)", \
        "events": [{"event": "inserted", "entity": "Type", "object": "\(type)", "values": {"name": "Dessert"}}]}

        """)
    var model: [UInt8] = []
    var first = try store.log(to: 1)
    #expect(try first.writeNext(.log, to: &model))
    let json = try JSONValue(parsing: model)
    #expect(json["events"] == nil)
    #expect(json["model"]?["entities"]?[0]?["name"] == "Recipe")
  }
}

extension CommitLog {
  /// Returns the first commit of a log, which must exist.
  fileprivate func firstCommit() throws -> Commit {
    var log = self
    return try #require(try log.next())
  }
}

/// A clock that advances by a second with each reading.
final class TestClock: Sendable {
  private let time: Mutex<Int64>

  init(_ start: Int64) { time = Mutex(start) }

  func next() -> Timestamp {
    Timestamp(
      microseconds: time.withLock {
        $0 += 1_000_000
        return $0
      })
  }
}
