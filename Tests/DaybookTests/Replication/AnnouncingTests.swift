import DaybookModel
import DaybookTestSupport
import Foundation
import Testing
import WorkLimits

@testable import Daybook
@testable import DaybookRuntime

/// Announcements of writes, and their renewal while the writes run.
@Suite(.hangLimit) struct AnnouncingTests {
  /// Makes two nodes whose larger commits take several messages.
  ///
  /// - Parameter patience: How long a node waits after the latest part of a payload that is not complete.
  private func nodes(patience: Duration) throws -> (bench: ReplicationBench, one: Store, two: Store) {
    let bench = try ReplicationBench(messageSizeInBytes: 2_048)
    var options = ReplicationBench.options(timeLimit: .seconds(50))
    options.replication.incompletePayloadTimeout = patience
    return (bench, try bench.create(options: options), try bench.join("two", options: options))
  }

  /// Text that takes several messages.
  private let large = Value.string(String(repeating: "x", count: 20_000))

  /// Without a renewal the other node would write after the first two seconds.
  @Test func anAnnouncedWriteIsAwaitedWhileItRuns() throws {
    let (bench, one, two) = try nodes(patience: .seconds(2))
    let isDone = DispatchSemaphore(value: 0)
    let runCount = try bench.overtake(1, by: two) {
      var runCount = 0
      try one.write { tx in
        runCount += 1
        _ = try tx.insert("Note", ["text": large])
        guard runCount == 2 else { return }
        Thread.detachNewThread {
          _ = try? two.note("after")
          isDone.signal()
        }
        let renewed = bench.server.messages.count + 3
        let end = ContinuousClock.now + .seconds(20)
        while bench.server.messages.count < renewed, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.01) }
      }
      return runCount
    }
    #expect(isDone.wait(timeout: .now() + 60) == .success)
    #expect(runCount == 2)
    try one.replication?.wait()
    #expect(try one.texts().count == 3)
    for node in [one, two] { #expect(try node.replication?.status().skippedMessageCount == 4) }
    try bench.finish(one, two)
  }

  @Test func aWriteWaitsForAnotherNodeNoLongerThanItMayTake() throws {
    let bench = try ReplicationBench()
    var options = ReplicationBench.options()
    options.replication.incompletePayloadTimeout = .seconds(3_600)
    let one = try bench.create(options: options)
    let part = StreamPart.announcement(ObjectID(UUID()), index: 0)
    bench.server.add(StreamContent.part(part).bytes)
    try one.replication?.wait()
    let error = #expect(throws: StoreError.self) {
      try WorkLimit.$current.withValue(WorkLimit(.milliseconds(50))) { try one.note("a") }
    }
    #expect(error?.code == .timedOut)
    #expect(try one.texts().isEmpty)
    bench.server.add(StreamContent.part(.withdrawal(of: part.attempt)).bytes)
    try one.note("b")
    try bench.finish(one)
  }

  @Test func aPublicationOfAnotherThreadIsNotMovedBehindCommitsThatItDoesNotFollow() throws {
    let (bench, one, two) = try nodes(patience: .seconds(20))
    let replicator = try #require(one.services.replicator)
    let (isInside, isHeld, isDone) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let runCount = Locked(0)
    // Begins its session after the first attempt of the other write, before its process has read what overtook it.
    @Sendable func writeBeside() {
      _ = try? one.write { tx in
        _ = try tx.insert("Note", ["text": "of another thread"])
        let isFirstRun = runCount.withLock { count in
          count += 1
          return count == 1
        }
        guard isFirstRun else { return }
        isInside.signal()
        let end = ContinuousClock.now + .seconds(20)
        while replicator.renewal.withLock({ $0 }) == nil, ContinuousClock.now < end {
          Thread.sleep(forTimeInterval: 0.01)
        }
      }
      isDone.signal()
    }
    let publishedCount = Locked(0)
    bench.server.beforePublishing { _ in
      let isFirst = publishedCount.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return }
      _ = try? two.note("faster")
      // A write that receives the report of the commit reads it first.
      _ = try? replicator.reportedPosition()
      Thread.detachNewThread(writeBeside)
      Thread.detachNewThread {
        replicator.readingTurn.withLock { _ in
          isHeld.signal()
          _ = isInside.wait(timeout: .now() + 20)
        }
      }
      _ = isHeld.wait(timeout: .now() + 20)
    }
    try one.write { _ = try $0.insert("Note", ["text": large]) }
    #expect(isDone.wait(timeout: .now() + 60) == .success)
    bench.server.beforePublishing(nil)
    #expect(runCount.withLock { $0 } == 2)
    for node in [one, two] { try node.replication?.wait() }
    #expect(try one.texts().count == 3)
    try bench.finish(one, two)
  }
}
