import Daybook
import DaybookEngine
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

/// Writing on several nodes of one stream.
@Suite(.hangLimit) struct ReplicatedWritingTests {
  @Test func nodesHaveTheSameCommitsAtTheSamePositions() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    try one.note("a")
    let two = try bench.join("two")
    try two.note("b")
    try one.note("c")
    #expect(try one.texts() == ["a", "b", "c"])
    #expect(try one.position == 4)
    #expect(two.id == one.id)
    try bench.finish(one, two)
  }

  @Test func aWriteThatWasOvertakenRunsAgainAtTheNewHead() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    var seen: [Int] = []
    try one.write { tx in
      seen.append(try tx.fetch(Request(entity: "Note")).rows.count)
      if seen.count == 1 { try two.note("faster") }
      _ = try tx.insert("Note", ["text": "slower"])
    }
    #expect(seen == [0, 1])
    #expect(try one.position == 3)
    try bench.finish(one, two)
  }

  @Test func aNodeThatIsFarBehindNeedsOneMoreAttempt() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options()
    options.replication.maximumAttempts = 2
    let one = try bench.create(options: options)
    let two = try bench.join("two")
    // Most of these are not reported.
    for number in 0..<40 { try two.note("\(number)") }
    try one.note("later")
    #expect(try one.position == 42)
    try bench.finish(one, two)
  }

  @Test func aWriteRunsOnceIfAnotherNodeHasReportedItsCommit() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    try two.note("faster")
    let before = bench.server.publishedCount
    var seen: [Int] = []
    try one.write { tx in
      seen.append(try tx.fetch(Request(entity: "Note")).rows.count)
      _ = try tx.insert("Note", ["text": "later"])
    }
    #expect(seen == [1])
    #expect(bench.server.publishedCount == before + 1)
    try bench.finish(one, two)
  }

  @Test func aConditionIsCheckedAgainWhenAnotherNodeWasFaster() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let id = try one.note("a")
    let two = try bench.join("two")
    let head = try one.position
    try two.write { try $0.set(id, ["text": "b"]) }
    let error = #expect(throws: StoreError.self) {
      try one.write(CommitInfo(when: .untouched(id, since: head))) { try $0.set(id, ["text": "c"]) }
    }
    #expect(error?.code == .conditionFailed)
    #expect(try one.texts() == ["b"])
    try bench.finish(one, two)
  }

  @Test func aWriteThatIsOvertakenEachTimeIsGivenUp() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options()
    options.replication.maximumAttempts = 3
    let one = try bench.create(options: options)
    let two = try bench.join("two")
    let count = Locked(0)
    bench.server.beforePublishing { _ in
      // Only the publications of the first node are overtaken.
      guard
        count.withLock({ count in
          count += 1
          return count.isMultiple(of: 2) == false
        })
      else { return }
      _ = try? two.note("faster")
    }
    let error = #expect(throws: StoreError.self) { try one.note("slower") }
    #expect(error?.code == .conflict)
    bench.server.beforePublishing(nil)
    #expect(try two.texts() == ["faster", "faster", "faster"])
    try bench.finish(one, two)
  }

  @Test func aCommitIDThatAnotherNodeUsedIsRecognised() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let info = CommitInfo(commitID: ObjectID(UUID()))
    let first = try two.commit(info) { try $0.insert("Note", ["text": "once"]) }
    let second = try one.commit(info) { try $0.insert("Note", ["text": "once"]) }
    #expect(second.position == first.position)
    #expect(second.result == nil)
    try bench.finish(one, two)
  }

  @Test func aLostAnswerIsResolvedByTheSameMessage() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    bench.server.loseAnswer { $0 == 2 }
    try one.note("a")
    #expect(bench.server.messages.count == 2)
    #expect(try one.position == 2)
    bench.server.loseAnswer(nil)
    bench.server.loseMessage { $0 == 4 }
    try one.note("b")
    #expect(bench.server.messages.count == 3)
    try bench.finish(one)
  }

  @Test func withoutAnyAnswerTheOutcomeIsUnknownAndResolvedBeforeTheNextWrite() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let stored = bench.server.publishedCount + 1
    // The first attempt is stored and its answer lost; further ones are lost.
    bench.server.loseAnswer { $0 == stored }
    bench.server.loseMessage { $0 > stored }
    let info = CommitInfo(commitID: ObjectID(UUID()))
    let error = #expect(throws: StoreError.self) { try one.commit(info) { try $0.insert("Note", ["text": "a"]) } }
    #expect(error?.code == .unknownOutcome)
    #expect(try one.texts() == [])
    let later = #expect(throws: StoreError.self) { try one.note("b") }
    #expect(later?.code == .unavailable)
    bench.server.loseMessage(nil)
    bench.server.loseAnswer(nil)
    let outcome = try one.commit(info) { try $0.insert("Note", ["text": "a"]) }
    #expect(outcome == .alreadyCommitted(position: 2))
    try one.note("b")
    #expect(try one.texts() == ["a", "b"])
    try bench.finish(one)
  }

  @Test func aNodeThatIsCutOffReadsAndRefusesToWrite() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    try one.note("a")
    bench.server.isCut = true
    let start = ContinuousClock.now
    let error = #expect(throws: StoreError.self) { try one.note("b") }
    #expect(error?.code == .unavailable)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(try one.texts() == ["a"])
    bench.server.isCut = false
    try one.note("c")
    #expect(try one.texts() == ["a", "c"])
    try bench.finish(one)
  }

  @Test func aCommitLargerThanAMessageGoesInParts() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 2_048)
    let one = try bench.create()
    let two = try bench.join("two")
    try two.note("small")
    try one.note(String(repeating: "x", count: 20_000))
    #expect(bench.server.messages.count > 10)
    try two.note("small too")
    #expect(try two.position == 4)
    try bench.finish(one, two)
  }

  @Test func abandonedPartsAreSkippedAndAwaitedForAShortTime() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 2_048)
    let one = try bench.create()
    let two = try bench.join("two")
    let first = bench.server.publishedCount + 1
    bench.server.loseMessage { $0 >= first + 2 }
    let error = #expect(throws: StoreError.self) { try one.note(String(repeating: "x", count: 20_000)) }
    #expect(error?.code == .unavailable)
    #expect(bench.server.messages.count == 3)
    bench.server.loseMessage(nil)
    let start = ContinuousClock.now
    try two.note("after")
    #expect(ContinuousClock.now - start > .milliseconds(90))
    try one.note("last")
    #expect(try one.texts() == ["after", "last"])
    #expect(try one.replication?.status().skippedMessageCount == 2)
    try bench.finish(one, two)
  }

  @Test func aLargeCommitIsAnnouncedAndThenOvertakenNoMore() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 2_048)
    let one = try bench.create()
    let two = try bench.join("two")
    let runCount = try bench.overtake(5, by: two) {
      var runCount = 0
      try one.write { tx in
        runCount += 1
        _ = try tx.insert("Note", ["text": .string(String(repeating: "x", count: 20_000))])
      }
      return runCount
    }
    #expect(runCount == 2)
    #expect(try one.texts().count == 6)
    try two.replication?.wait()
    // The announcement.
    for node in [one, two] { #expect(try node.replication?.status().skippedMessageCount == 1) }
    try bench.finish(one, two)
  }

  @Test func aWriteThatIsOvertakenAgainAndAgainIsAnnounced() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let runCount = try bench.overtake(8, by: two) {
      var runCount = 0
      try one.write { tx in
        runCount += 1
        _ = try tx.insert("Note", ["text": "slower"])
      }
      return runCount
    }
    // The announcement was overtaken too, and the write was not run for that.
    #expect(runCount == 5)
    #expect(try one.texts().count == 9)
    try two.replication?.wait()
    for node in [one, two] { #expect(try node.replication?.status().skippedMessageCount == 1) }
    try bench.finish(one, two)
  }

  @Test func aWriteIsRefusedOnlyForTheStateAtTheEndOfTheStream() async throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    // The first node does not know the object, nor the position.
    let id = try two.note("a")
    let head = try two.position
    try one.sync { try $0.write(CommitInfo(when: .untouched(id, since: head))) { try $0.set(id, ["text": "b"]) } }
    let other = try two.sync { try $0.note("c") }
    try await one.write { try $0.set(other, ["text": "d"]) }
    #expect(try one.texts() == ["b", "d"])
    let error = await #expect(throws: StoreError.self) {
      try await one.write { try $0.set(ObjectID(UUID()), ["text": "e"]) }
    }
    #expect(error?.code == .notFound)
    try bench.finish(one, two)
  }

  @Test func concurrentWritersShareMessages() async throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    try await withThrowingTaskGroup { group in
      for number in 0..<100 {
        let store = number.isMultiple(of: 2) ? one : two
        group.addTask { _ = try await store.write { try $0.insert("Note", ["text": .string("\(number)")]) } }
      }
      try await group.waitForAll()
    }
    try one.replication?.wait()
    #expect(try one.texts().count == 100)
    #expect(bench.server.messages.count < 101)
    try bench.finish(one, two)
  }

  @Test func aBatchIsPublishedAsAWhole() throws {
    let bench = try ReplicationBench(messageSizeInBytes: 4_096)
    let one = try bench.create()
    let two = try bench.join("two")
    try one.batch { batch in
      for number in 0..<100 { try batch.commit { _ = try $0.insert("Note", ["text": .string("\(number)")]) } }
    }
    try two.replication?.wait()
    #expect(try two.texts().count == 100)
    #expect(try two.position == 101)
    try bench.finish(one, two)
  }

  @Test func largeValuesReachOtherNodesWithTheirCommit() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    let two = try bench.join("two")
    let data = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let id = try one.write { try $0.insert("Note", ["text": "large", "data": .data(data)]) }
    try two.replication?.wait()
    let stored = try two.read { try $0.get(id)?["data"] }
    guard case .large(let value)? = stored else {
      Issue.record("The value is not large: \(String(describing: stored))")
      return
    }
    #expect(try value.requireSource().bytes(of: value) == data)
    // A node that has the value writes it again by its digest alone.
    let count = bench.server.messages.count
    try two.write { _ = try $0.insert("Note", ["text": "again", "data": .data(data)]) }
    #expect(bench.server.messages[count].count < 2_000)
    try bench.finish(one, two)
  }

  @Test func aWriteThatFailsPublishesNothing() throws {
    struct Failure: Error {}
    let bench = try ReplicationBench()
    let one = try bench.create()
    let count = bench.server.publishedCount
    #expect(throws: Failure.self) {
      try one.write { tx in
        _ = try tx.insert("Note", ["text": "x"])
        throw Failure()
      }
    }
    #expect(bench.server.publishedCount == count)
    try bench.finish(one)
  }

  @Test func aWriteWaitsForOtherNodesIfTheOptionsSaySo() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options(timeLimit: .seconds(5))
    options.replication.acknowledgement = .replicas(2)
    let one = try bench.create(options: options)
    let two = try bench.join("two", options: ReplicationBench.options(follows: true))
    try one.note("a")
    #expect(try two.texts() == ["a"])
    two.close()
    one.close()
    var short = options
    short.replication.timeLimit = .milliseconds(100)
    let again = try Store(at: one.path, options: short)
    let error = #expect(throws: StoreError.self) { try again.note("b") }
    #expect(error?.code == .unknownOutcome)
    #expect(try again.texts() == ["a", "b"])
    try bench.finish(again)
  }

  @Test func aProgramWithoutTheLibraryReadsAndRefusesToWrite() throws {
    let bench = try ReplicationBench()
    let one = try bench.create()
    try one.note("a")
    one.close()
    let path = one.path + "/journal.json"
    let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "memory:", with: "unknown:")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let store = try Store(at: one.path)
    #expect(try store.texts() == ["a"])
    let error = #expect(throws: StoreError.self) { try store.note("b") }
    #expect(error?.code == .readOnly)
    try closeAndVerify(store)
  }
}
