import DaybookEngine
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Commits of other nodes that come with a write of this one, or beside it.
@Suite(.hangLimit) struct ArrivalsTests {
  /// The number of transactions that the journal's file has had.
  private func transactionCount(_ store: Store) throws -> UInt64 {
    try store.files.withJournal { UInt64($0.snapshot.transactionID) }
  }

  @Test func anOvertakenWriteAndTheFasterOneShareATransaction() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    try one.note("before")
    try two.note("faster")
    try two.note("faster too")
    let before = try transactionCount(one)
    try one.note("later")
    #expect(try transactionCount(one) == before + 1)
    #expect(try one.texts() == ["before", "faster", "faster too", "later"])
    try bench.finish(one, two)
  }

  @Test func aWriteRunsWithTheModelOfAnotherNode() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    try one.note("before")
    try two.replication?.wait()
    let model = Model(entities: [
      Entity(
        name: "Note",
        attributes: [
          Attribute(name: "text", type: .string), Attribute(name: "data", type: .data, isOptional: true),
          Attribute(name: "rank", type: .integer, defaultValue: 7),
        ])
    ])
    try two.apply(model)
    let before = try transactionCount(one)
    let id = try one.write { tx in
      let id = try tx.insert("Note", ["text": "later"])
      // The first attempt, which the servers refuse, does not know the attribute.
      if tx.position == 4 { try tx.set(id, ["rank": 9]) }
      return id
    }
    #expect(try transactionCount(one) == before + 1)
    #expect(try one.read { try $0.get(id)?["rank"] } == 9)
    try bench.finish(one, two)
  }

  @Test func writesThatAreQueuedWhileAnotherNodeIsFasterShareTheNextMessage() async throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let next = bench.server.publishedCount + 1
    let writes = Locked<[Task<Void, any Error>]>([])
    bench.server.beforePublishing { number in
      guard number == next else { return }
      _ = try? two.note("faster")
      let accepted = one.services.queue.acceptedCount
      for name in ["b", "c", "d"] {
        let task = Task { try await one.write { _ = try $0.insert("Note", ["text": .string(name)]) } }
        writes.withLock { $0.append(task) }
      }
      while one.services.queue.acceptedCount < accepted + 3 { Thread.sleep(forTimeInterval: 0.001) }
    }
    try await one.write { _ = try $0.insert("Note", ["text": "a"]) }
    for task in writes.withLock({ $0 }) { try await task.value }
    bench.server.beforePublishing(nil)
    #expect(bench.server.messages.count == 3)
    let texts = try one.sync { try $0.texts() }
    #expect(texts == ["a", "b", "c", "d", "faster"])
    try bench.finish(one, two)
  }

  @Test func commitsThatAnotherThreadHasAppendedAreNotTakenAgain() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    try two.note("a")
    let replicator = try #require(one.services.replicator)
    let arrivals = try replicator.receiveForWriting(until: .end)
    #expect(arrivals.commits.count == 1)
    // Another thread, or another process of the node.
    try one.replication?.wait()
    try two.note("b")
    try one.replication?.wait()
    #expect(throws: StreamPlaceMoved.self) { try replicator.take(arrivals) }
    try bench.finish(one, two)
  }

  @Test func aRefusalLeavesTheCommitsThatItIsAbout() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let id = try two.note("a")
    try one.replication?.wait()
    let known = try one.position
    try two.write { try $0.set(id, ["text": "b"]) }
    let error = #expect(throws: StoreError.self) {
      try one.write(CommitInfo(when: .untouched(id, since: known))) { try $0.set(id, ["text": "c"]) }
    }
    #expect(error?.code == .conditionFailed)
    #expect(try one.texts() == ["b"])
    try bench.finish(one, two)
  }

  @Test func aWriteThatFailsForItsOwnReasonAppendsWhatItSaw() throws {
    struct Stop: Error {}
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    try two.note("a")
    #expect(throws: Stop.self) { try one.write { _ in throw Stop() } }
    #expect(try one.texts() == ["a"])
    try bench.finish(one, two)
  }

  @Test func aWriteThatIsGivenUpAppendsWhatItSaw() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options()
    options.replication.maximumAttempts = 3
    let one = try bench.create(options: options)
    let two = try bench.join("two")
    let error = bench.overtake(.max, by: two) {
      #expect(throws: StoreError.self) { try one.note("slower") }
    }
    #expect(error?.code == .conflict)
    // What the last refusal was about was not read.
    #expect(try one.texts() == ["faster", "faster"])
    try bench.finish(one, two)
  }

  @Test func aRefusalOfTheServersThatShowNoMessageIsGivenUp() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    for number in 0..<3 { try one.note("\(number)") }
    bench.server.truncate(to: 2)
    bench.server.refuse { _ in true }
    let start = ContinuousClock.now
    let error = #expect(throws: StoreError.self) { try one.replication?.wait() }
    #expect(error?.code == .unavailable)
    #expect(ContinuousClock.now - start < .seconds(5))
    bench.server.refuse(nil)
    try bench.finish(one)
    #expect(bench.server.messages.count == 3)
  }

  @Test func aNodeReadsOnWhenAPartOfTheAnswersCame() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    for number in 0..<100 { try one.note("\(number)") }
    bench.server.limitAnswers(to: 7)
    let two = try bench.join("two")
    #expect(try two.texts().count == 100)
    try bench.finish(one, two)
  }

  @Test func anEffectOfAnArrivingCommitMayWrite() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let target = Locked(Store?.none)
    var options = ReplicationBench.options()
    options.projections = [
      ClosureProjection("echo", version: 1, mode: .inline) { commit, _ in
        guard commit.position == 3 else { return }
        commit.afterCommit { _ = try? target.withLock { $0 }?.note("echo") }
      }
    ]
    let two = try bench.join("two", options: options)
    target.withLock { $0 = two }
    try one.note("a")
    try one.note("b")
    try two.replication?.wait()
    #expect(try two.texts() == ["a", "b", "echo"])
    target.withLock { $0 = nil }
    try bench.finish(one, two)
  }

  @Test func aWriterWaitsForTheEndOfAPayloadThatItsFollowerHasSeen() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let part = StreamPart(attempt: .random(), index: 0, count: 2, bytes: [])
    bench.server.add(StreamContent.part(part).bytes)
    // The follower, or an earlier write, has read it.
    try one.replication?.wait()
    let start = ContinuousClock.now
    try one.note("after")
    #expect(ContinuousClock.now - start > .milliseconds(50))
    try bench.finish(one, two)
  }

  @Test func aNodeThatIsAheadInAForkDoesNotHideTheReportsOfOthers() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let replicator = try #require(one.services.replicator)
    bench.server.add(NodeReport(node: .random(), position: 1_000, hash: .zero))
    #expect(try replicator.reportedPosition() == 1_000)
    #expect(try replicator.reportedPosition() == nil)
    try two.note("a")
    #expect(try replicator.reportedPosition() == 2)
    #expect(try replicator.reportedPosition() == nil)
    try bench.finish(one, two)
  }

  @Test func onlyNodesWithTheSameCommitCountAsReplicas() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options()
    options.replication.acknowledgement = .replicas(2)
    let one = try bench.create(options: ReplicationBench.options())
    one.close()
    let again = try Store(at: one.path, options: options)
    let node = ObjectID.random()
    bench.server.add(NodeReport(node: node, position: 2, hash: .zero))
    let error = #expect(throws: StoreError.self) { try again.note("a") }
    #expect(error?.code == .unknownOutcome)
    // A later commit that the stream does not have proves nothing either.
    bench.server.add(NodeReport(node: node, position: 50, hash: .zero))
    let later = #expect(throws: StoreError.self) { try again.note("b") }
    #expect(later?.code == .unknownOutcome)
    bench.server.add(NodeReport(node: node, position: 3, hash: try #require(try again.hashes().last)))
    bench.server.beforePublishing { [server = bench.server] _ in
      // The other node takes the commit a moment later.
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.05)
        guard let hash = try? again.hashes().last else { return }
        server.add(NodeReport(node: node, position: 4, hash: hash))
      }
    }
    try again.note("c")
    bench.server.beforePublishing(nil)
    try bench.finish(again)
  }

  @Test func aWriterThatWaitsForOthersAnswersTheirQuestions() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options()
    options.replication.acknowledgement = .replicas(2)
    let one = try bench.create()
    one.close()
    let again = try Store(at: one.path, options: options)
    bench.server.ask()
    let before = bench.server.newsCount
    #expect(throws: StoreError.self) { try again.note("a") }
    // Its own question, the report of its commit, and the answer.
    #expect(bench.server.newsCount == before + 3)
    try bench.finish(again)
  }

  /// Threads of three nodes with followers, whose announcements would be awaited for an hour if they were abandoned.
  @Test func noWriterAbandonsWhatItAnnounced() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options(timeLimit: .seconds(50), follows: true)
    options.replication.incompletePayloadTimeout = .seconds(3_600)
    options.replication.maximumAttempts = 1_000
    let nodes =
      [try bench.create(options: options)]
      + (try ["two", "three"].map { try bench.join($0, options: options) })
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 12) { thread in
      do {
        for number in 0..<25 { try nodes[thread % 3].note("\(thread) \(number)") }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    for node in nodes { try node.replication?.wait() }
    #expect(try nodes[0].texts().count == 300)
    try bench.finish(nodes[0], nodes[1], nodes[2])
  }

  @Test func aPayloadOfManyPartsIsReadWhole() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 2_048)
    let one = try bench.create()
    let two = try bench.join("two")
    let data = (0..<1_300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try one.write { _ = try $0.insert("Note", ["text": "large", "data": .data(data)]) }
    #expect(bench.server.messages.count > 600)
    try two.note("small")
    try bench.finish(one, two)
  }

  @Test func aReportOfAnyPositionIsOnlyAReport() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    for number: UInt64 in [.max, .max - 1, 1 << 53] {
      bench.server.add(NodeReport(node: .random(), position: Position(number), hash: .zero))
      try one.note("\(number)")
    }
    try bench.finish(one)
  }

  @Test func aWriteThatTheServersHaveIsDoneThoughTheStoreIsClosed() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let next = bench.server.publishedCount + 1
    bench.server.beforePublishing { number in
      guard number == next else { return }
      Thread.detachNewThread { one.close() }
      Thread.sleep(forTimeInterval: 0.1)
    }
    try one.note("a")
    bench.server.beforePublishing(nil)
    #expect(throws: StoreError.self) { try one.note("b") }
    let again = try Store(at: one.path, options: ReplicationBench.options())
    #expect(try again.texts() == ["a"])
    try bench.finish(again)
  }

  @Test func anAnnouncementIsTakenBackIfNothingIsPublished() throws {
    struct Stop: Error {}
    let bench = try ReplicationBench()
    var options = ReplicationBench.options()
    options.replication.incompletePayloadTimeout = .seconds(3_600)
    let one = try bench.create(options: options)
    let two = try bench.join("two", options: options)
    var runCount = 0
    bench.overtake(4, by: two) {
      #expect(throws: Stop.self) {
        try one.write { tx in
          runCount += 1
          if runCount == 5 { throw Stop() }
          _ = try tx.insert("Note", ["text": "slower"])
        }
      }
    }
    try two.note("after")
    try one.note("after, too")
    for node in [one, two] { try node.replication?.wait() }
    for node in [one, two] { #expect(try node.replication?.status().skippedMessageCount == 2) }
    try bench.finish(one, two)
  }

  @Test func aWriteWaitsForAPayloadThatIsSeenWhileItRuns() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    try one.note("before")
    let part = StreamPart(attempt: .random(), index: 0, count: 2, bytes: [])
    var runCount = 0
    let start = ContinuousClock.now
    try one.write { tx in
      runCount += 1
      _ = try tx.insert("Note", ["text": "later"])
      guard runCount == 1 else { return }
      bench.server.add(StreamContent.part(part).bytes)
      // Another thread reads the part while the write runs.
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        try? one.replication?.wait()
        isDone.signal()
      }
      isDone.wait()
    }
    #expect(runCount == 2)
    #expect(ContinuousClock.now - start > .milliseconds(50))
    try bench.finish(one)
  }

  @Test func aSaveThatIsOvertakenWaitsForNoWriteThatReadsItsContext() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let id = try one.note("a")
    let context = try one.makeContext()
    try context.edit { try $0.set(id, ["text": "edited"]) }
    let next = bench.server.publishedCount + 1
    let isDone = DispatchSemaphore(value: 0)
    bench.server.beforePublishing { number in
      guard number == next else { return }
      Thread.detachNewThread {
        // It waits for the write lock, which the save has.
        try? one.write { tx in
          let object = try context.get(id)
          _ = try tx.insert("Note", ["text": object?["text"] ?? "nothing"])
        }
        isDone.signal()
      }
      Thread.sleep(forTimeInterval: 0.1)
      _ = try? two.note("faster")
    }
    try context.save()
    isDone.wait()
    bench.server.beforePublishing(nil)
    #expect(try one.texts() == ["edited", "edited", "faster"])
    try bench.finish(one, two)
  }

  @Test func namesOfAModelThatAWriteOvertookAreThoseOfTheJournal() throws {
    let bench = try ReplicationBench()
    let seen = Shared<[String]>([])
    var options = ReplicationBench.options()
    options.projections = [
      ClosureProjection("names", version: 1, mode: .inline) { commit, _ in
        let texts = try commit.events().map { "\($0)" }
        seen.change { $0 += texts }
      }
    ]
    let one = try bench.create(options: options)
    let two = try bench.join("two")
    let model = Model(entities: [
      Entity(
        name: "Note",
        attributes: [
          Attribute(name: "words", renamedFrom: "text", type: .string),
          Attribute(name: "data", type: .data, isOptional: true),
        ])
    ])
    var runCount = 0
    try one.batch { batch in
      runCount += 1
      if runCount == 1 { try two.apply(model) }
      let name = runCount == 1 ? "text" : "words"
      for number in 0..<5 {
        try batch.commit { _ = try $0.insert("Note", [name: .string("\(number)")]) }
      }
    }
    #expect(runCount == 2)
    #expect(seen.now.suffix(5).allSatisfy { $0.contains("words") && !$0.contains("text") })
    try bench.finish(one, two)
  }
}
