import DaybookEngine
import Foundation

/// The queue of asynchronous writes, which one thread runs in batches.
///
/// Each batch has one disk flush: writes that are queued during a flush share the next one. The thread starts with the
/// first write and ends with the queue; without writes it sleeps.
final class WriteQueue: @unchecked Sendable {
  /// A queued write, and the function that reports its outcome to its caller.
  struct Job: Sendable {
    /// Makes the commit in a session. Does not throw: an error in it concerns only this job.
    let run: @Sendable (WriteSession) -> Void
    /// Reports to the caller after the session, with an error if the whole session failed.
    let complete: @Sendable ((any Error)?) -> Void
  }

  /// The most writes that share a flush.
  static let maximumBatchCount = 1_024
  /// How long the next batch waits for callers that just got a result, in seconds.
  ///
  /// Much shorter than a flush.
  private static let gatheringTime = 0.000_1

  /// Protects all members below, and signals changes of them.
  private let condition = NSCondition()
  private var jobs: [Job] = []
  /// Runs a batch of jobs in one session.
  ///
  /// Set only while there are jobs: it retains a companion of the store, which retains the queue.
  private var perform: (@Sendable ([Job]) -> Void)?
  private var thread: Thread?
  private var isClosed = false
  /// How many writes were added in total; tests wait for it.
  private var count = 0

  /// The number of writes that no session has taken from the queue.
  var waitingCount: Int { condition.withLock { jobs.count } }
  /// The number of writes added in total.
  var acceptedCount: Int { condition.withLock { count } }

  /// Adds a write.
  ///
  /// - Parameter perform: Runs a batch of jobs in one session; called on the queue's own thread.
  func add(_ job: Job, perform: @escaping @Sendable ([Job]) -> Void) {
    let isAdded = condition.withLock {
      guard !isClosed else { return false }
      jobs.append(job)
      count += 1
      self.perform = perform
      if thread == nil { startThread() }
      condition.broadcast()
      return true
    }
    if !isAdded { job.complete(StoreError(.closed, "The store was closed.", advice: "Open it again.")) }
  }

  /// Refuses further writes, and waits for the writes already added.
  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
      // An effect of an inline projection may close the store on the queue's own thread.
      while let thread, thread !== Thread.current { condition.wait() }
    }
  }

  private func startThread() {
    let thread = Thread { self.drain() }
    thread.name = "daybook writer"
    thread.start()
    self.thread = thread
  }

  private func drain() {
    var count = 0
    while let (batch, perform) = nextBatch(after: count) {
      perform(batch)
      count = batch.count
    }
    condition.withLock {
      thread = nil
      condition.broadcast()
    }
  }

  /// Waits for writes and returns the next batch, or `nil` when the queue is closed and empty.
  ///
  /// - Parameter count: The size of the previous batch. Its callers are likely to write again at once, and a write that
  ///   misses a flush waits for two.
  private func nextBatch(after count: Int) -> (jobs: [Job], perform: @Sendable ([Job]) -> Void)? {
    condition.withLock {
      while jobs.isEmpty, !isClosed { condition.wait() }
      let end = Date(timeIntervalSinceNow: WriteQueue.gatheringTime)
      while jobs.count < count, !isClosed, condition.wait(until: end) {}
      guard let perform, !jobs.isEmpty else { return nil }
      let batch = Array(jobs.prefix(WriteQueue.maximumBatchCount))
      jobs.removeFirst(batch.count)
      if jobs.isEmpty { self.perform = nil }
      return (batch, perform)
    }
  }
}
