import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Differences that are computed while the disk flushes their commit.
@Suite(.hangLimit) struct ChangePreparationTests {
  /// Calls a closure on the writer's thread when a commit's flush has ended and its projections are not committed.
  private final class BetweenCommits: Sendable {
    private let body = Locked<(@Sendable () -> Void)?>(nil)

    func run(_ body: (@Sendable () -> Void)?) { self.body.withLock { $0 = body } }

    func options(keptKeyCount: Int) -> StoreOptions {
      var options = StoreOptions()
      options.keptKeyCount = keptKeyCount
      options.probe = { [self] in if $0 == .betweenCommits { body.withLock { $0 }?() } }
      return options
    }
  }

  /// Calls a closure on another thread and waits for it, at most ten seconds.
  ///
  /// - Returns: Its result, or `nil` if it did not return in time or threw an error.
  private static func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result?) -> Result? {
    let (result, done) = (Locked<Result?>(nil), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let made = try? body()
      result.withLock { $0 = made ?? nil }
      done.signal()
    }
    _ = done.wait(timeout: .now() + 10)
    return result.withLock { $0 }
  }

  /// Waits until the results are notified of a change, at most ten seconds.
  ///
  /// A follower that asks before would read, and wait for the writer.
  @Sendable private static func nextChange(of results: LiveResults<StoredObject>) throws -> ResultsChange? {
    for _ in 0..<10_000 where !results.followed.wakeup.isSet { usleep(1_000) }
    return try results.followed.wakeup.isSet ? results.update() : nil
  }

  /// Rows of which the places depend on their own records alone.
  private static let tags = Request(entity: "Tag", sort: [SortTerm(path: ["name"])])

  /// Few rows are kept as keys; with a limit of 0 the counts of the index are used.
  @Test(arguments: [256, 0]) func aDifferenceIsThereBeforeTheProjectionsAre(keptKeyCount: Int) throws {
    let between = BetweenCommits()
    try withTemporaryStore(FeedModel.model, options: between.options(keptKeyCount: keptKeyCount)) { store in
      let ids = try store.insertTags("a", "b", "c")
      let results = try store.liveResults(of: Self.tags)
      try wait { store.services.notifier.seen == results.position }
      #expect(try results.update() == nil)
      #expect(try results.names() == [["a", "b", "c"]])
      let renames = [(ids[0], "x", ["b", "c", "x"]), (ids[1], "y", ["c", "x", "y"]), (ids[2], "0", ["0", "x", "y"])]
      for (id, name, names) in renames {
        let early = Locked<ResultsChange?>(nil)
        between.run {
          let change = Self.onAnotherThread { try Self.nextChange(of: results) }
          early.withLock { $0 = change }
        }
        try store.writeNow { try $0.rename(id, to: name) }
        between.run(nil)
        let change = try #require(early.withLock { $0 })
        #expect(try change.to == store.position)
        #expect(change.difference.rows.map(\.id) == [id])
        #expect(change.causes == [id: [change.to]])
        // The rows are read at the position of the difference, and nothing is reported twice.
        #expect(try results.names() == [names])
        try wait { store.services.notifier.seen == change.to }
        #expect(try results.update() == nil)
      }
    }
  }

  @Test func aGroupHasItsStepBeforeTheProjectionsAre() throws {
    let between = BetweenCommits()
    try withTemporaryStore(FeedModel.model, options: between.options(keptKeyCount: 256)) { store in
      let ids = try store.insertTags("a", "b")
      let backward = Request(entity: "Tag", sort: [SortTerm(path: ["name"], .descending)])
      let joint = try store.jointResults(of: [.rows(of: Self.tags), .rows(of: backward)])
      #expect(try joint.update()?.to == store.position)
      try wait { store.services.notifier.seen == joint.position }
      #expect(try joint.update() == nil)
      let early = Locked<JointChange?>(nil)
      between.run {
        let step = Self.onAnotherThread { () -> JointChange? in
          for _ in 0..<10_000 where !joint.wakeup.isSet { usleep(1_000) }
          return try joint.update()
        }
        early.withLock { $0 = step }
      }
      try store.writeNow { try $0.rename(ids[0], to: "x") }
      between.run(nil)
      let step = try #require(early.withLock { $0 })
      #expect(try step.to == store.position)
      for request in [Self.tags, backward] {
        #expect(try step.change(of: request) == store.difference(of: request, from: step.from, to: step.to))
      }
      #expect(try joint.update() == nil)
    }
  }

  @Test func aCommitHasOneDeltaWhichItsWriterMade() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertTags("a", "b")
      let results = try store.liveResults(of: Self.tags)
      let start = results.position
      let dropped = try store.droppingCommit { try $0.rename(ids[0], to: "x") }
      try wait { dropped.readyCount == 1 }
      #expect(try store.keeper.knownCommitDelta()?.position != dropped.position)
      #expect(dropped.deltas[.stored]?.transaction == nil && !dropped.isConfirmed)
      try store.writeNow { try $0.rename(ids[1], to: "y") }
      let delta = try #require(try store.keeper.knownCommitDelta())
      #expect(delta.position == start.next && delta !== dropped.deltas[.stored])
      let read = try store.read { try CommitRange(from: start, to: $0, of: store.keeper).onlyCommit() }
      #expect(read === delta.changes)
      // A commit that no request awaits is read by the first one that asks.
      try store.insertRecipes("a")
      #expect(try store.keeper.knownCommitDelta() == nil)
      let later = try store.read { try CommitRange(from: start.next, to: $0, of: store.keeper).onlyCommit() }
      #expect(try store.keeper.knownCommitDelta()?.changes === later && later?.position == start.next.next)
      // A reader that began earlier does not bring its delta back.
      store.keeper.currentProjections.keep(delta)
      #expect(try store.keeper.knownCommitDelta()?.changes === later)
    }
  }

  /// A loop over a feed asks once more after each change, and is at the head then.
  @Test func thatNothingHasChangedIsKnownWithoutATransaction() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertTags("a", "b")
      let results = try store.liveResults(of: Self.tags)
      let live = try store.notifier.follow([Self.tags.fetch], results.followed.wakeup)[0]
      try store.writeNow { try $0.rename(ids[0], to: "x") }
      #expect(try results.update() != nil)
      #expect(try results.names() == [["b", "x"]])
      let head = results.position
      #expect(try live.knownChange(since: head, reportedFrom: head, of: .stored) == ResultsChange(from: head, to: head))
      try store.insertRecipes("a")
      #expect(try live.knownChange(since: head, reportedFrom: head, of: .stored) == nil)
    }
  }

  @Test func whatWasPreparedForACommitThatFailedIsNotDelivered() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertTags("a", "b")
      let results = try store.liveResults(of: Self.tags)
      #expect(try results.names() == [["a", "b"]])
      let preparation = try store.droppingCommit { try $0.rename(ids[0], to: "x") }
      // The thread has computed the change of the commit that is not in the journal.
      try wait { preparation.readyCount == 1 }
      #expect(try results.update() == nil)
      try store.writeNow { try $0.rename(ids[1], to: "0") }
      let change = try #require(try results.update())
      #expect(change.difference.rows.map(\.id) == [ids[1]])
      #expect(try results.names() == [["0", "a"]])
    }
  }

  @Test func aSlowFollowerGetsOneDifferenceForTwoPreparedCommits() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertTags("a", "b")
      let results = try store.liveResults(of: Self.tags)
      #expect(try results.names() == [["a", "b"]])
      let start = results.position
      try store.writeNow { try $0.rename(ids[0], to: "x") }
      try store.writeNow { try $0.rename(ids[1], to: "y") }
      let change = try #require(try results.update())
      #expect(change.from == start && change.to.number == start.number + 2)
      #expect(try results.update() == nil)
    }
  }

  @Test func aReaderBetweenTheCommitsWaitsForTheWriter() throws {
    let between = BetweenCommits()
    try withTemporaryStore(FeedModel.model, options: between.options(keptKeyCount: 256)) { store in
      try store.insertRecipes("a")
      let (count, done) = (Locked<Int?>(nil), DispatchSemaphore(value: 0))
      between.run {
        Thread.detachNewThread {
          let found = try? store.read { try $0.count(Request(entity: "Recipe")) }
          count.withLock { $0 = found }
          done.signal()
        }
        // Long enough for the reader to find the projections behind.
        usleep(20_000)
        #expect(count.withLock { $0 } == nil)
      }
      try store.insertRecipes("b")
      between.run(nil)
      #expect(done.wait(timeout: .now() + 10) == .success)
      #expect(count.withLock { $0 } == 2)
    }
  }

  /// Waits until something is true, at most ten seconds.
  private func wait(until isTrue: () -> Bool) throws {
    for _ in 0..<10_000 where !isTrue() { usleep(1_000) }
    try #require(isTrue())
  }
}

private extension Store {
  func insertTags(_ names: String...) throws -> [ObjectID] {
    try writeNow { tx in try names.map { try tx.insert("Tag", ["name": .string($0)]) } }
  }

  /// Makes a commit up to the point before its flush, and drops it, as after a failure of the disk.
  func droppingCommit(_ body: (borrowing Transaction) throws -> Void) throws -> ChangePreparation {
    let session = try WriteSession.begin(keeper)
    _ = try session.commit(CommitInfo(), body)
    return try #require(
      services.notifier.prepareChanges(by: session.commits, in: session.reader) { try session.changes(by: $0, in: $1) })
  }
}
