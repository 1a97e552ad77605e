import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookQuery
@testable import DaybookRuntime

@Suite(.hangLimit) struct TimeFeedTests {
  private func withTasks(_ body: (Store, FixedClock, [ObjectID]) throws -> Void) throws {
    let clock = FixedClock(TimeModel.start)
    try withTemporaryStore(TimeModel.model, options: .repeatable(clock: clock)) { store in
      let ids = try (1...3).map { number in
        try store.writeNow {
          try $0.insert("Task", ["name": .string("task \(number)"), "due": TimeModel.time(10 * number)])
        }
      }
      try body(store, clock, ids)
    }
  }

  @Test func `a fetch reads the clock, and a position its recorded time`() throws {
    try withTasks { store, clock, ids in
      let request = try TimeModel.request("due < now")
      #expect(try store.read { try $0.fetch(request).count } == 0)
      clock.advance(byMicroseconds: 15_000_000)
      #expect(try store.read { try $0.fetch(request).rows.map(\.id) } == [ids[0]])
      #expect(try store.read { try $0.count(request) } == 1)
      let head = try store.position
      #expect(try store.read { try $0.read(at: head) { try $0.count(request) } } == 0)
      #expect(try store.read { try $0.recorded { try $0.count(request) } } == 0)
      try store.writeNow { try $0.set(ids[2], ["rank": 1]) }
      #expect(try store.read { try $0.read(at: head.next) { try $0.count(request) } } == 1)
      let change = try store.read { try $0.difference(of: request, from: head, to: head.next) }
      #expect(change.difference.rows == [.insert(ids[0], to: RowPath(section: 0, row: 0))])
      #expect(change.causes == [ids[0]: []])
      #expect(try store.writeNow { try $0.delete(where: request) } == 1)
    }
  }

  @Test func `a live list moves when the moment comes, without a commit`() throws {
    try withTasks { store, clock, ids in
      let results = try store.liveResults(of: TimeModel.request("due <= now").untyped)
      #expect(try results.update() == nil)
      let head = try store.position
      for (number, id) in ids.enumerated() {
        clock.advance(byMicroseconds: 9_999_999)
        #expect(try results.update() == nil)
        clock.advance(byMicroseconds: 1)
        let change = try #require(try results.update())
        #expect(change.from == head && change.to == head)
        #expect(change.difference.rows == [.insert(id, to: RowPath(section: 0, row: number))])
        #expect(change.causes == [id: []])
        #expect(try results.update() == nil)
        #expect(try results.count == number + 1)
      }
    }
  }

  @Test func `the clock that is set back takes nothing back`() throws {
    try withTasks { store, clock, ids in
      let results = try store.liveResults(of: TimeModel.request("due < now").untyped)
      clock.advance(byMicroseconds: 15_000_000)
      #expect(try results.update()?.difference.rows.count == 1)
      clock.now = TimeModel.start
      #expect(try results.update() == nil)
      try store.writeNow { try $0.set(ids[1], ["due": TimeModel.time(12)]) }
      #expect(try results.update()?.difference.rows.count == 1)
    }
  }

  @Test func `a follower that sleeps is woken by the moment`() async throws {
    try await withTemporaryStore(TimeModel.model) { store in
      let due = Timestamp(microseconds: StoreOptions.systemClock().microseconds + 300_000)
      let id = try store.writeNow { try $0.insert("Task", ["name": "soon", "due": .date(due)]) }
      let start = try store.position
      let request = try TimeModel.request("due < now")
      for try await change in store.changes(of: request.untyped, from: start) {
        #expect(StoreOptions.systemClock() > due)
        #expect(change.from == start && change.to == start && change.causes == [id: []])
        let cursor = change.cursor
        let time = try #require(cursor.time)
        #expect(time > due)
        #expect(cursor.description.contains("-T\(time.microseconds)"))
        break
      }
    }
  }

  @Test func `results of an editing context are woken by the moment, and follow dates that are edited`() async throws {
    try await withTemporaryStore(TimeModel.model) { store in
      let soon = Timestamp(microseconds: StoreOptions.systemClock().microseconds + 300_000)
      let late = Timestamp(microseconds: soon.microseconds + 3_600_000_000)
      let id = try store.writeNow { try $0.insert("Task", ["name": "late", "due": .date(late)]) }
      let context = try store.makeContext()
      let results = try context.liveResults(of: TimeModel.request("due < now").untyped)
      #expect(try results.count == 0)
      try context.set(id, ["due": .date(soon)])
      #expect(try results.update() == nil)
      for try await change in results.changes {
        #expect(StoreOptions.systemClock() > soon)
        #expect(change.difference.rows == [.insert(id, to: RowPath(section: 0, row: 0))])
        break
      }
      #expect(try results.count == 1)
    }
  }

  @Test func `results shown at a position are those of its recorded time`() throws {
    try withTasks { store, clock, ids in
      let results = try store.liveResults(of: TimeModel.request("due < now").untyped)
      clock.advance(byMicroseconds: 15_000_000)
      _ = try results.update()
      let head = try store.position
      #expect(try results.move(to: head)?.difference.rows.count == 1)
      #expect(try results.count == 0)
      #expect(try results.move(to: head) == nil)
      _ = try results.move(to: nil)
      #expect(try results.update()?.difference.rows.count == 1)
      #expect(try results.count == 1)
    }
  }

  @Test func `conditions of a write and requests of rules refuse the time`() throws {
    try withTasks { store, _, _ in
      let request = try TimeModel.request("rank == 1 AND due < now")
      let error = #expect(throws: StoreError.self) {
        try store.write(CommitInfo(when: .unchanged(request, since: store.position))) { tx in
          _ = try tx.insert("Project", ["name": "x"])
        }
      }
      #expect(error?.code == .badRequest && error?.description.contains("at column 21") == true)
    }
    var model = TimeModel.model
    model.entities[0].rules = ["due < now"]
    var isMade = false
    try? withTemporaryStore(model) { (_: Store) throws -> Void in isMade = true }
    #expect(!isMade)
  }

  @Test func `a cursor of a time that is yet to come begins with a reset`() throws {
    try withTasks { store, clock, _ in
      let request = try TimeModel.request("due < now")
      let later = Timestamp(microseconds: clock.now.microseconds + 1)
      let cursor = try store.read { try $0.cursor(at: $0.position, time: later) }
      let results = try store.jointResults(of: [.rows(of: request)], from: cursor)
      #expect(try results.update()?.change(of: request)?.isReset == true)
    }
  }

  /// Texts that are no cursors.
  @Test(arguments: [
    "7-0a1b2c3d-T", "7-0a1b2c3d-Tx", "7-T1.5", "7-0a1b2c3d-T1-T2", "7-0a1b2c3d-T--1",
    "7-0a1b2c3d-T99999999999999999999", "-T1", "7-0a1b2c3d-t1",
  ])
  func `a malformed time of a cursor is refused`(text: String) { #expect(FeedCursor(text) == nil) }

  @Test(arguments: ["7-0a1b2c3d-T1000000", "7-0a1b2c3d-T-5", "7-T0", "7-0a1b2c3d-T5~group-counts.1.2"])
  func `a cursor with a time keeps its text`(text: String) throws {
    let cursor = try #require(FeedCursor(text))
    #expect(cursor.description == text)
  }

  @Test(arguments: Seeds.shards) func `each consumer has what a fresh fetch returns, whatever the clock does`(
    shard: Int
  ) throws {
    try Seeds.run(max(1, Rounds.of(300) / 8), shard: shard) { seed in
      let clock = FixedClock(TimeModel.start)
      try withTemporaryStore(TimeModel.model, options: .repeatable(clock: clock)) { store in
        var run = TimeRun(store, clock, SeededRandom(seed: seed))
        try run.run()
      }
    }
  }
}
