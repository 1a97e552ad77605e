import DaybookEngine
import DaybookModel

/// The queue of asynchronous writes, which one thread runs in batches.
///
/// Each batch has one disk flush: writes that are queued during a flush share the next one. The thread starts with the
/// first write and ends with the queue; without writes it sleeps.
package final class WriteQueue: Sendable {
  /// A queued write, and the function that reports its outcome to its caller.
  package struct Job: Sendable {
    /// Makes the commit in a session. Throws only for damaged projections: another error concerns only this job.
    ///
    /// Returns `false` after an error that a later state may not have.
    let run: @Sendable (WriteSession) throws -> Bool
    /// Reports to the caller after the session, with an error if the whole session failed.
    let complete: @Sendable ((any Error)?) -> Void
    /// When the caller gives up; `nil` for never.
    package var end: ContinuousClock.Instant?

    package init(
      run: @escaping @Sendable (WriteSession) throws -> Bool, complete: @escaping @Sendable ((any Error)?) -> Void,
      end: ContinuousClock.Instant? = nil
    ) {
      (self.run, self.complete, self.end) = (run, complete, end)
    }
  }

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
    /// How many writes were added in total.
    var acceptedCount = 0
    var lastBatchCount = 0
    /// Whether the next batch is smaller than the last one, whose callers are likely to write again at once.
    var isGathering: Bool { !jobs.isEmpty && jobs.count < lastBatchCount && !isClosed }

    /// Adds jobs to the present batch.
    mutating func takeJobs(atMost count: Int) -> [Job] {
      let batch = Array(jobs.prefix(max(count, 0)))
      jobs.removeFirst(batch.count)
      lastBatchCount += batch.count
      return batch
    }
  }

  /// The most writes that share a flush.
  static let maximumBatchCount = 1_024
  /// How long a batch waits for callers that just got a result: a write that misses a flush waits for two.
  ///
  /// Much shorter than a flush.
  private static let gatheringTime = Duration.microseconds(100)

  private let state = Locked(State())
  private let worker = Worker("daybook writer")

  /// The number of writes that no session has taken from the queue.
  var waitingCount: Int { state.withLock { $0.jobs.count } }
  /// The number of writes added in total; tests wait for it.
  var acceptedCount: Int { state.withLock { $0.acceptedCount } }

  /// Adds a write.
  ///
  /// - Parameter perform: Runs a batch of jobs in one session; called on the queue's own thread. It may take the writes
  ///   that were queued since then, and runs them too.
  package func add(_ job: Job, perform: @escaping @Sendable (_ jobs: [Job], _ further: () -> [Job]) -> Void) {
    let isAdded = state.withLock { state in
      guard !state.isClosed else { return false }
      state.jobs.append(job)
      state.acceptedCount += 1
      // Started under the lock, so that a close waits for this write.
      worker.start { self.drain(perform) }
      return true
    }
    if !isAdded { job.complete(StoreError(.closed, "The store was closed.", advice: "Open it again.")) }
  }

  /// Refuses further writes, and waits for the writes already added.
  func close() {
    state.withLock { $0.isClosed = true }
    worker.close()
  }

  /// Runs all queued writes. The thread stays for later ones.
  private func drain(_ perform: (_ jobs: [Job], _ further: () -> [Job]) -> Void) -> Bool {
    while let batch = nextBatch() {
      perform(batch) { state.withLock { $0.takeJobs(atMost: WriteQueue.maximumBatchCount - $0.lastBatchCount) } }
    }
    return true
  }

  /// Returns the next batch, or `nil` if no writes are queued.
  private func nextBatch() -> [Job]? {
    gather()
    return state.withLock { state in
      guard !state.jobs.isEmpty else { return nil }
      state.lastBatchCount = 0
      return state.takeJobs(atMost: WriteQueue.maximumBatchCount)
    }
  }

  /// Waits shortly for a batch as large as the last one.
  private func gather() {
    let end = ContinuousClock.now + WriteQueue.gatheringTime
    repeat {
      worker.wakeup.reset()
    } while state.withLock { $0.isGathering } && worker.wakeup.block(atMost: end - ContinuousClock.now)
  }
}
