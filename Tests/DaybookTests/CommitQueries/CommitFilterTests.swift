import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime
@testable import LMDB

/// Questions about commits, compared with a plain filter over the whole log.
@Suite(.hangLimit) struct CommitFilterTests {
  /// A filter, and the same conditions on the commits and events of a log.
  private struct Question {
    var filter = CommitFilter()
    var commit: [(Commit) -> Bool] = []
    var event: [(Event) -> Bool] = []

    func isMet(by commit: Commit) -> Bool {
      guard self.commit.allSatisfy({ $0(commit) }) else { return false }
      return event.isEmpty || commit.events.contains(where: isMet)
    }

    func isMet(by event: Event) -> Bool { self.event.allSatisfy { $0(event) } }
  }

  private static func contains(_ text: String?, _ part: String) -> Bool {
    guard let text else { return false }
    let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) } || wanted.isEmpty
  }

  private static func newValue(_ name: String, in event: Event) -> Value {
    switch event.content {
    case .inserted(let fields, _): fields.first { $0.name == name }?.value ?? .null
    case .renamed(let change): change.name == name ? change.new : .null
    case .set(let changes): changes.first { $0.name == name }?.new ?? .null
    default: .null
    }
  }

  private static func question(_ random: inout SeededRandom, about commits: [Commit]) throws -> Question {
    var question = Question()
    let some = random.pick(commits)
    if random.isOneIn(2), let entity = some.events.first?.entity, !entity.contains("#") {
      question.filter.entity = entity
      question.event.append { $0.entity == entity }
    }
    if random.isOneIn(3) {
      if let kind = random.pick(Event.Kind.allCases.map(Optional.some) + [nil]) {
        question.filter.kind = kind
        question.event.append { $0.kind == kind }
      } else {
        question.filter.isModel = true
        question.commit.append { $0.model != nil }
      }
    }
    if random.isOneIn(3), let author = some.author {
      let part = String(author.prefix(random.number(1...3)))
      question.filter.author = part
      question.commit.append { contains($0.author, part) }
    }
    if random.isOneIn(4), let message = some.message {
      let part = String(message.suffix(random.number(1...3)))
      question.filter.message = part
      question.commit.append { contains($0.message, part) }
    }
    if random.isOneIn(3) {
      let time = some.happenedAt ?? some.recordedAt
      if random.isOneIn(2) {
        question.filter.since = time
        question.commit.append { ($0.happenedAt ?? $0.recordedAt) >= time }
      } else {
        question.filter.until = time
        question.commit.append { ($0.happenedAt ?? $0.recordedAt) <= time }
      }
    }
    if random.isOneIn(4), let object = some.events.first?.object {
      question.filter.object = object
      question.event.append { $0.names(object) }
    }
    if random.isOneIn(3) {
      if random.isOneIn(2) {
        question.filter.condition = try Filter(parsing: "event.number > 3")
        question.event.append { event in
          if case .integer(let number) = newValue("number", in: event) { number > 3 } else { false }
        }
      } else {
        question.filter.condition = try Filter(parsing: "NOT event.label == nil")
        question.event.append { newValue("label", in: $0) != .null }
      }
    }
    return question
  }

  private func commits(_ log: CommitLog) throws -> [Commit] {
    var log = log
    var commits: [Commit] = []
    while let commit = try log.next() { commits.append(commit) }
    return commits
  }

  /// Asks random questions, and compares the answers with a filter over the whole log.
  private func ask(_ count: Int, of store: Store, _ random: inout SeededRandom) throws {
    let all = try commits(store.log())
    for _ in 0..<count {
      let question = try CommitFilterTests.question(&random, about: all)
      let what = "seed \(random.seed): \(question.filter)"
      let expected = all.filter(question.isMet)
      #expect(try commits(store.log(where: question.filter)).map(\.position) == expected.map(\.position), "\(what)")
      let first = UInt64(random.number(0...all.count))
      let last = UInt64(random.number(0...all.count))
      let part = expected.filter { $0.position.number >= first && $0.position.number <= last }
      let limit = random.number(0...20)
      let reversed = try store.log(
        where: question.filter, from: Position(first), to: Position(last), reversed: true, limit: limit)
      #expect(try commits(reversed).map(\.position) == part.reversed().prefix(limit).map(\.position), "\(what)")
      let narrow = try commits(store.log(where: question.filter, matchingEventsOnly: true))
      #expect(narrow.map(\.events) == expected.map { $0.events.filter(question.isMet) }, "\(what)")
      #expect(try !store.explain(question.filter).isEmpty)
    }
  }

  private func withHistory(_ count: Int, _ body: (Store, inout SeededRandom) throws -> Void) throws {
    try SeededRandom.run { random in
      try withTemporaryStore(RandomHistory.model) { store in
        var history = RandomHistory(store, seed: random.next())
        try history.write(count)
        try body(store, &random)
      }
    }
  }

  @Test func anAnswerIsAFilterOverTheWholeLog() throws {
    try withHistory(400) { store, random in try ask(Rounds.of(700), of: store, &random) }
  }

  @Test func answersStayTheSameWhenTheIndexIsMadeAgain() throws {
    try withHistory(200) { store, random in
      try store.rebuild(.commitIndex)
      try ask(20, of: store, &random)
      try store.rebuild()
      try ask(20, of: store, &random)
    }
  }

  @Test func anIndexThatAnotherVersionMadeIsMadeAgain() throws {
    try withHistory(200) { store, random in
      let opened = store.keeper.currentProjections
      var transaction = try opened.environment.beginWrite()
      let table = try #require(try transaction.openTable(CommitIndexRow.tableName, create: false))
      try transaction.put(Array("x".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1], in: table)
      try transaction.put(CommitIndexState.key, [99, 1, 0], in: opened.stateTable)
      try transaction.commit()
      try ask(20, of: store, &random)
    }
  }

  @Test func aStoreWithoutAnIndexGetsOneWithItsFirstQuestion() throws {
    try withHistory(300) { store, random in
      let opened = store.keeper.currentProjections
      var transaction = try opened.environment.beginWrite()
      if let table = try transaction.openTable(CommitIndexRow.tableName, create: false) { try transaction.drop(table) }
      try transaction.put(CommitIndexState.key, CommitIndexState.empty.bytes, in: opened.stateTable)
      try transaction.commit()
      try ask(20, of: store, &random)
      let state = try opened.environment.withSnapshot { try opened.commitIndexState(in: $0) }
      #expect(state.blockCount == CommitBlock.count(in: try store.position))
    }
  }

  @Test func theIndexOfAnotherJournalIsMadeAgain() throws {
    try withTemporaryStore(FeedModel.model) { store in
      for number in 0..<130 {
        try store.write(author: "anna") { _ = try $0.insert("Tag", ["name": .string("\(number)")]) }
      }
      let opened = store.keeper.currentProjections
      var transaction = try opened.environment.beginWrite()
      let table = try #require(try transaction.openTable(CommitIndexRow.tableName, create: false))
      var state = try #require(try opened.state(in: transaction.snapshot))
      state.checkpoint.hash = .zero
      try transaction.put(BuiltInTablesState.key, state.bytes, in: opened.stateTable)
      let key = CommitIndexRow.key(CommitTerm.author("anna").bytes, CommitBlock(0))
      try transaction.put(key, CommitIndexRow.value(1), in: table)
      try transaction.commit()
      // The next write finds that the tables are of another journal.
      try store.write(author: "anna") { _ = try $0.insert("Tag", ["name": "x"]) }
      #expect(try commits(store.log(where: CommitFilter(author: "anna"))).count == 131)
    }
  }

  @Test func aDamagedRowIsRepairedByTheQuestionThatMeetsIt() throws {
    try withHistory(200) { store, random in
      let opened = store.keeper.currentProjections
      var transaction = try opened.environment.beginWrite()
      let table = try #require(try transaction.openTable(CommitIndexRow.tableName, create: false))
      // The same table without checksums: the last bytes of what it writes are no checksum.
      let unchecked = Table(
        name: table.name, handle: table.handle, owner: table.owner, serial: table.serial, hasChecksums: false)
      try transaction.put(
        CommitIndexRow.key(CommitTerm.model.bytes, CommitBlock(0)), [0, 0, 0, 0, 0, 0, 0, 1, 9, 9, 9, 9], in: unchecked)
      try transaction.commit()
      let filter = CommitFilter(isModel: true)
      #expect(try commits(store.log(where: filter)).allSatisfy { $0.model != nil })
      try ask(20, of: store, &random)
    }
  }

  @Test func verificationReportsAWrongRow() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: FeedModel.model)
    for number in 0..<130 {
      try store.write(author: "a") { _ = try $0.insert("Tag", ["name": .string("\(number)")]) }
    }
    let opened = store.keeper.currentProjections
    var transaction = try opened.environment.beginWrite()
    let table = try #require(try transaction.openTable(CommitIndexRow.tableName, create: false))
    let key = CommitIndexRow.key(CommitTerm.author("a").bytes, CommitBlock(1))
    try transaction.put(key, CommitIndexRow.value(3), in: table)
    let other = CommitIndexRow.key(CommitTerm.author("b").bytes, CommitBlock(1))
    try transaction.put(other, CommitIndexRow.value(1), in: table)
    try transaction.commit()
    store.close()
    let faults = try Store.verify(at: store.path).faults
    #expect(faults.count == 2 && faults.allSatisfy { $0.place == "table commit-index" && $0.part == .projections })
    // Verification has removed the trust in the projections: they are built again.
    let again = try Store(at: store.path)
    #expect(try commits(again.log(where: CommitFilter(author: "a"))).count == 130)
    try closeAndVerify(again)
  }

  @Test func answersAreRightWhileOthersWrite() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let writer = Task.detached {
        for number in 0..<400 {
          try store.writeNow(author: number % 3 == 0 ? "anna" : "ben") {
            _ = try $0.insert("Tag", ["name": .string("\(number)")])
          }
        }
      }
      var last = 0
      while last < 134 {
        // The tasks share few threads.
        try await Task.sleep(for: .milliseconds(1))
        let found = try commits(store.log(where: CommitFilter(entity: "Tag", author: "anna")))
        #expect(found.map { ($0.position.number - 2) % 3 } == found.map { _ in 0 })
        #expect(found.enumerated().allSatisfy { $1.position.number == UInt64($0 * 3 + 2) })
        last = found.count
      }
      try await writer.value
    }
  }

  @Test func aFeedDeliversTheCommitsThatMeetItsFilter() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      for number in 0..<200 {
        try store.writeNow(author: number % 50 == 0 ? "anna" : "ben") {
          _ = try $0.insert("Tag", ["name": .string("\(number)")])
        }
      }
      var feed = store.commits(where: CommitFilter(author: "anna"), from: 60).makeAsyncIterator()
      var positions: [UInt64] = []
      for _ in 0..<2 { positions.append(try #require(try await feed.next()).position.number) }
      #expect(positions == [102, 152])
      let writer = Task.detached {
        try store.writeNow(author: "ben") { _ = try $0.insert("Tag", ["name": "x"]) }
        try store.writeNow(author: "anna") { _ = try $0.insert("Tag", ["name": "y"]) }
      }
      #expect(try await feed.next()?.position == 203 && feed.position == 203)
      try await writer.value
    }
  }

  @Test func namesThatNoModelHasHadAreRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      #expect(throws: StoreError.self) { try store.log(where: CommitFilter(entity: "Nothing")) }
      #expect(throws: StoreError.self) { try store.log(where: CommitFilter(object: ObjectID(high: 1, low: 1))) }
      #expect(throws: StoreError.self) {
        try store.log(where: CommitFilter(condition: Filter(parsing: "event.nothing == 1")))
      }
      #expect(throws: StoreError.self) {
        try store.log(where: CommitFilter(condition: Filter(parsing: "name == 1")))
      }
    }
  }

  @Test func caseIsIgnoredOnDemand() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.write(author: "Anna", message: "The PIE") { _ = try $0.insert("Tag", ["name": "a"]) }
      var filter = CommitFilter(author: "anna", message: "pie")
      #expect(try commits(store.log(where: filter)).isEmpty)
      filter.ignoresCase = true
      #expect(try commits(store.log(where: filter)).map(\.position) == [2])
    }
  }
}
