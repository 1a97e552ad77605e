import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The queue of asynchronous writes, apart from a store.
@Suite(.hangLimit) struct WriteQueueTests {
  /// The batches that a queue has run, as the numbers of their jobs.
  private final class Runs: Sendable {
    let batches = Locked<[Int]>([])
    let completed = Locked<[Int]>([])
    /// Set while batches may run.
    let gate = Wakeup()

    func job(_ number: Int) -> WriteQueue.Job {
      WriteQueue.Job(run: { _ in true }, complete: { _ in self.completed.withLock { $0.append(number) } })
    }

    func perform(_ jobs: [WriteQueue.Job]) {
      gate.block()
      batches.withLock { $0.append(jobs.count) }
      for job in jobs { job.complete(nil) }
    }
  }

  @Test func writesRunInTheirOrderAndShareBatches() {
    let (queue, runs) = (WriteQueue(), Runs())
    queue.add(runs.job(0)) { jobs, _ in runs.perform(jobs) }
    while queue.waitingCount > 0 { Thread.sleep(forTimeInterval: 0.001) }
    for number in 1...100 { queue.add(runs.job(number)) { jobs, _ in runs.perform(jobs) } }
    #expect(queue.waitingCount == 100 && queue.acceptedCount == 101)
    runs.gate.signal()
    queue.close()
    #expect(runs.completed.withLock { $0 } == Array(0...100))
    #expect(runs.batches.withLock { $0 } == [1, 100])
  }

  @Test func aBatchHasALimit() {
    let (queue, runs) = (WriteQueue(), Runs())
    queue.add(runs.job(0)) { jobs, _ in runs.perform(jobs) }
    while queue.waitingCount > 0 { Thread.sleep(forTimeInterval: 0.001) }
    let count = WriteQueue.maximumBatchCount + 5
    for number in 1...count { queue.add(runs.job(number)) { jobs, _ in runs.perform(jobs) } }
    runs.gate.signal()
    queue.close()
    #expect(runs.batches.withLock { $0 } == [1, WriteQueue.maximumBatchCount, 5])
  }

  @Test func aBatchMayTakeWhatWasQueuedSince() {
    let (queue, runs) = (WriteQueue(), Runs())
    let perform: @Sendable ([WriteQueue.Job], () -> [WriteQueue.Job]) -> Void = { jobs, further in
      runs.gate.block()
      runs.perform(jobs + further() + further())
    }
    queue.add(runs.job(0), perform: perform)
    while queue.waitingCount > 0 { Thread.sleep(forTimeInterval: 0.001) }
    for number in 1...(WriteQueue.maximumBatchCount + 1) { queue.add(runs.job(number), perform: perform) }
    runs.gate.signal()
    queue.close()
    #expect(runs.batches.withLock { $0 } == [WriteQueue.maximumBatchCount, 2])
    #expect(runs.completed.withLock { $0 } == Array(0...WriteQueue.maximumBatchCount + 1))
  }

  @Test func aClosedQueueHasRunWhatItAcceptedAndRefusesTheRest() {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let (queue, runs) = (WriteQueue(), Runs())
      runs.gate.signal()
      let refused = Locked(0)
      let done = Locked(0)
      let counts = (0..<3).map { _ in random.number(0...100) }
      for count in counts {
        Thread {
          for number in 0..<count {
            let job = WriteQueue.Job(run: { _ in true }) { error in
              if error == nil { runs.completed.withLock { $0.append(number) } } else { refused.withLock { $0 += 1 } }
            }
            queue.add(job) { jobs, _ in runs.perform(jobs) }
          }
          done.withLock { $0 += 1 }
        }.start()
      }
      if random.isTrue(percent: 50) { Thread.sleep(forTimeInterval: Double(random.number(0...200)) / 1_000_000) }
      queue.close()
      #expect(runs.completed.withLock { $0.count } == queue.acceptedCount, "seed \(seed)")
      while done.withLock({ $0 }) < counts.count { Thread.sleep(forTimeInterval: 0.000_1) }
      #expect(queue.acceptedCount + refused.withLock { $0 } == counts.reduce(0, +), "seed \(seed)")
    }
  }

  @Test func aWriteThatFailsLeavesItsNeighboursAlone() async throws {
    struct Failure: Error {}
    try await withTemporaryStore(FeedModel.model) { store async throws in
      let results = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask {
            do {
              try await store.write { tx in
                try tx.insert("Recipe", ["name": .string("\(number)")])
                if number % 4 == 0 { throw Failure() }
              }
              return true
            } catch {
              return false
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(results == 30)
      #expect(try store.fetch(FeedModel.byName).count == 30)
    }
  }
}
