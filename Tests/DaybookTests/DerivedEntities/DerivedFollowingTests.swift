import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Live results, feeds and saved cursors of derived entities.
@Suite(.hangLimit) struct DerivedFollowingTests {
  private let sizes = Request(entity: "AuthorMonth", sort: [SortTerm(path: ["size"])])

  /// Counts what a factor makes of it: rows that another factor made are other rows.
  private struct Factored: Projection {
    let name = "author-months"
    let version = 1
    var mode = ProjectionMode.inline
    let factor = Locked<Int64>(1)
    var entities: [DerivedEntity] { [MonthProjection.entity] }

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.inserted("Revision") {
        guard let month = try commit.after.get(id)?["month"], month != .string("none") else { continue }
        try rows.update("AuthorMonth", key: [.null, month]) {
          $0["count"] = .integer(try $0.integer("count") + 1)
          $0["size"] = .integer(try $0.integer("size") - factor.withLock { $0 })
        }
      }
    }
  }

  private func revise(_ store: Store, _ months: String...) throws {
    for month in months { try store.write { _ = try $0.insert("Revision", ["month": .string(month)]) } }
  }

  @Test func `groups of rows by a link of their key follow the projection`() throws {
    try withTemporaryStore(MonthProjection.model, options: .knowing(Factored())) { store in
      try revise(store, "1")
      let groups = try store.liveResults(of: Request(entity: "AuthorMonth").grouped(by: ["author"], showing: ["count"]))
      #expect(try groups.rows(in: 0..<1).map { $0["count"] } == [1])
      try revise(store, "2")
      #expect(try groups.update()?.difference.rows.count == 1)
      #expect(try groups.rows(in: 0..<1).map { $0["count"] } == [2])
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func listFollowsItsProjection(_ mode: ProjectionMode) throws {
    try withTemporaryStore(MonthProjection.model, options: .knowing(Factored(mode: mode))) { store in
      try revise(store, "1")
      try store.projection("author-months").catchUp()
      let list = try store.liveResults(of: sizes)
      #expect(try list.count == 1)
      try revise(store, "2", "2")
      try store.projection("author-months").catchUp()
      let change = try #require(try list.update())
      #expect(!change.isReset && change.difference.rows.count == 1 && change.to == 4)
      #expect(change.causes.values.map { $0 } == [[3, 4]])
      #expect(try list.row(at: RowPath(section: 0, row: 0))["month"] == .string("2"))
      #expect(try list.update() == nil)
      // The slider over the past.
      let back = try #require(try list.move(to: 2))
      #expect(try back.difference.rows.count == 1 && list.count == 1)
      #expect(try list.move(to: nil) != nil && list.count == 2)
    }
  }

  /// Only the holder of the write lock can make rows, and no reader waits for it.
  @Test(arguments: [ChangeGranularity.coalesced, .everyCommit])
  func `a feed waits for the first rows while another writer has the lock`(
    _ granularity: ChangeGranularity
  ) async throws {
    var options = StoreOptions.knowing(Factored(mode: .catchUp))
    options.followsProjections = false
    try await withTemporaryStore(MonthProjection.model, options: options) { store in
      try revise(store, "1")
      let mayEnd = DispatchSemaphore(value: 0)
      await withCheckedContinuation { isWriting in
        Thread.detachNewThread {
          #expect(throws: Never.self) {
            try store.write { tx in
              isWriting.resume()
              #expect(mayEnd.wait(timeout: .now() + 20) == .success)
              _ = try tx.insert("Revision", ["month": "2"])
            }
          }
        }
      }
      let poller = FeedPoller(store.changes(of: sizes, granularity: granularity))
      #expect(try poller.poll() == nil && poller.poll() == nil)
      #expect(poller.position == .empty)
      #expect { try store.fetch(sizes) } throws: { ($0 as? StoreError)?.code == .notFound }
      mayEnd.signal()
      var ids = SectionedIDs<ObjectID>(unsectioned: [])
      while ids.count < 2 {
        await poller.wait()
        while let change = try poller.poll() {
          #expect(!change.isReset)
          ids = try ids.applying(change.difference)
        }
      }
      #expect(try store.fetch(sizes).ids == ids)
      #expect(poller.position == 3)
    }
  }

  /// Pending edits change no derived object, because those follow from commits.
  @Test func `a preview has the differences of stored objects alone`() throws {
    try withTemporaryStore(MonthProjection.model, options: .knowing(Factored())) { store in
      try revise(store, "1")
      let list = try store.liveResults(of: sizes)
      let revisions = Request(entity: "Revision")
      let context = try store.makeContext()
      try context.insert("Revision", ["month": "1"])
      let preview = try context.preview(of: [revisions, sizes])
      #expect(preview.failures.isEmpty && preview.events.count == 1)
      #expect(Array(preview.differences.keys) == [revisions])
      try context.save()
      #expect(try list.update()?.difference.rows.count == 1)
    }
  }

  /// A projection that is behind holds its lists at its checkpoint, with the stored objects as they were there.
  @Test func listOfAProjectionThatIsBehindIsOfItsCheckpoint() throws {
    try withTemporaryStore(MonthProjection.model, options: .knowing(MonthProjection())) { store in
      let emma = try store.write { try $0.insert("Author", ["name": "Emma"]) }
      let revision = try store.write { try $0.insert("Revision", ["month": "1"]) }
      try store.write { try $0.relate(revision, "author", to: emma) }
      try store.projection("author-months").catchUp()
      let request = Request(
        entity: "AuthorMonth", sort: [SortTerm(path: ["author", "name"])],
        section: SectionKey(path: ["author", "name"]))
      let list = try store.liveResults(of: request)
      let poller = FeedPoller(
        store.together([.rows(of: request.fetch), .rows(of: Request(entity: "Author").fetch)]))
      let first = try #require(try poller.poll())
      #expect(first.to == 4 && first.parts.allSatisfy { $0 != nil })
      try store.write { try $0.rename(emma, to: "Zoe") }
      #expect(try list.update() == nil && poller.poll() == nil)
      #expect(try store.fetch(request).sections.map(\.name) == ["Emma"])
      #expect(try store.fetch(Request(entity: "Author")).rows.map { $0["name"] } == ["Zoe"])
      try store.projection("author-months").catchUp()
      #expect(try #require(try list.update()).difference.sections.count == 2)
      let step = try #require(try poller.poll())
      #expect(step.to == 5 && step.parts.allSatisfy { $0 != nil })
      let error = try #require(throws: StoreError.self) { try store.at(6).fetch(request) }
      #expect(error.code == .notFound)
    }
  }

  @Test func replacedRowsAreOneDifference() throws {
    let projection = Factored()
    try withTemporaryStore(MonthProjection.model, options: .knowing(projection)) { store in
      try revise(store, "1", "2", "2", "3", "3", "3")
      let list = try store.liveResults(of: sizes)
      let poller = FeedPoller(store.changes(of: sizes))
      var kept = try SectionedIDs<ObjectID>(unsectioned: []).applying(#require(try poller.poll()).difference)
      // Rows that are the same are no change.
      try store.projection("author-months").rebuild()
      #expect(try list.update() == nil && poller.poll() == nil)
      // The rows of two months are in another order, and all have another size.
      projection.factor.withLock { $0 = -1 }
      try store.projection("author-months").rebuild()
      let change = try #require(try poller.poll())
      #expect(!change.isReset && change.from == 7 && change.to == 7 && change.difference.rows.count == 3)
      kept = try kept.applying(change.difference)
      #expect(try kept == store.fetch(sizes).ids)
      #expect(try poller.poll() == nil)
      // The list shows nothing else until it is moved on.
      #expect(throws: StoreError.self) { try list.count }
      #expect(try list.update()?.difference == change.difference)
      #expect(try list.ids == kept)
      try revise(store, "4")
      #expect(try list.update()?.difference.rows.count == 1)
      #expect(try poller.poll()?.difference.rows.count == 1)
    }
  }

  /// A retry builds the rows again, of which a follower gets what differs.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func retriedCommitIsOneDifference(_ mode: ProjectionMode) throws {
    struct Bad: Error {}
    let isBad = Shared(true)
    let projection = ClosureProjection(mode: mode, onFailure: .quarantine) { commit, rows in
      for name in try commit.insertedNames() { try rows.add(to: name) }
      if commit.position == 3, isBad.now { throw Bad() }
    }
    try withTemporaryStore(FeedModel.model, options: .knowing(projection)) { store in
      for name in ["a", "b", "c"] { try store.insertRecipes(name) }
      try store.projection("mine").catchUp()
      let request = Request(entity: "mineRow", sort: [SortTerm(path: ["name"])])
      let list = try store.liveResults(of: request)
      let poller = FeedPoller(store.changes(of: request))
      #expect(try poller.poll()?.difference.rows.count == 2)
      isBad.now = false
      try store.projection("mine").retry()
      let change = try #require(try poller.poll())
      #expect(!change.isReset && change.from == 4 && change.to == 4 && change.difference.rows.count == 1)
      #expect(try list.update()?.difference == change.difference)
      #expect(try list.ids == store.fetch(request).ids && list.count == 3)
      #expect(try poller.poll() == nil && list.update() == nil)
    }
  }

  @Test func savedCursorOfOtherRowsBeginsWithAReset() throws {
    let projection = Factored()
    try withTemporaryStore(MonthProjection.model, options: .knowing(projection)) { store in
      try revise(store, "1", "2")
      let saved = try #require(try FeedPoller(store.changes(of: sizes)).poll()).cursor
      #expect("\(saved)".hasPrefix("3-") && "\(saved)".contains("~author-months.1."))
      #expect(FeedCursor("\(saved)") == saved)
      try revise(store, "2")
      let resumed = FeedPoller(store.changes(of: sizes, from: saved))
      let change = try #require(try resumed.poll())
      #expect(!change.isReset && change.from == 3 && change.to == 4)
      // A position does not name the rows.
      #expect(try FeedPoller(store.changes(of: sizes, from: 3)).poll()?.isReset == true)
      projection.factor.withLock { $0 = 5 }
      try store.projection("author-months").rebuild()
      let late = FeedPoller(store.changes(of: sizes, from: saved))
      #expect(try late.poll()?.isReset == true)
      #expect(try late.poll() == nil)
      let other = try #require(FeedCursor("3-00000000~author-months.1.1"))
      #expect(try FeedPoller(store.changes(of: Request(entity: "Revision"), from: other)).poll()?.isReset == true)
    }
  }

  @Test(arguments: [
    "", "x", "-1", "3-", "3-0a", "3-0a1b2c3g", "3~", "3~a", "3~a.1", "3~a.1.x", "+3", "3-0a1b2c3d~a.1.1~",
  ])
  func textThatIsNoCursorIsRefused(_ text: String) {
    #expect(FeedCursor(text) == nil)
  }
}
