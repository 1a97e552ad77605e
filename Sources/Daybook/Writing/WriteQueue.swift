import DaybookModel
import Foundation

/// The writes of asynchronous callers, which one thread takes together: all that wait while a disk is flushed share the
/// next flush.
///
/// The thread begins with the first write and ends with the queue; without writes it sleeps.
final class WriteQueue: @unchecked Sendable {
  /// A write, and how its caller learns what became of it.
  struct Job: Sendable {
    /// Makes the commit in a session. Does not throw: what goes wrong concerns only this job.
    let run: @Sendable (WriteSession) -> Void
    /// Tells the caller, once the session has ended; with an error if that failed for all.
    let complete: @Sendable ((any Error)?) -> Void
  }

  /// The most writes that share a flush.
  static let maximumBatchCount = 1_024
  /// How long the callers that were just answered are waited for, in seconds: much less than a flush takes.
  private static let gatheringTime = 0.000_1

  /// Protects all members below, and says that one of them has changed.
  private let condition = NSCondition()
  private var jobs: [Job] = []
  /// Runs a batch of jobs in one session. It holds a companion of the store, which holds the queue, so it is kept only
  /// while there are jobs.
  private var perform: (@Sendable ([Job]) -> Void)?
  private var thread: Thread?
  private var isClosed = false
  /// How many writes were added so far; tests wait for them.
  private var count = 0

  /// The writes that no session has taken yet.
  var waitingCount: Int { condition.withLock { jobs.count } }
  /// The writes that were added so far.
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

  /// Refuses further writes; those that were added are done.
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

  /// Waits for writes; nil when the queue was closed and all are done.
  ///
  /// - Parameter count: How many writes the batch before had. Their callers are likely to come again at once, and whoever
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

extension Store {
  /// Writes one commit without blocking the caller's thread; concurrent callers share one flush of the disk.
  ///
  /// Each call is a commit of its own: if one throws, the others stand. When this returns, the commit is as durable as
  /// with the synchronous form.
  ///
  /// A task that is cancelled before its closure has returned does not write: what the closure did leaves no trace. A
  /// closure that takes long asks now and then with ``Transaction/checkCancellation()``. Once it has returned, the commit
  /// stands.
  ///
  /// - Throws: As the synchronous form; `CancellationError`.
  @discardableResult
  public func write<Result: Sendable>(
    author: String? = nil, message: String? = nil, happenedAt: Timestamp? = nil, when condition: AppendCondition? = nil,
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
  ) async throws -> Result {
    try checkOpen()
    let info = CommitInfo(author: author, message: message, happenedAt: happenedAt, when: condition)
    let outcome = Outcome<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = WriteQueue.Job { session in
          outcome.run {
            let builder = session.builder
            builder.isCancelled = { outcome.isCancelled }
            defer { builder.isCancelled = nil }
            return try session.commit(info) { tx in
              let result = try body(tx)
              try tx.checkCancellation()
              return result
            }.result
          }
        } complete: { error in
          continuation.resume(with: outcome.result(orFailing: error))
        }
        let companion = companion
        queue.add(job) { companion.perform($0) }
      }
    } onCancel: {
      outcome.cancel()
    }
  }

  private func perform(_ jobs: [WriteQueue.Job]) {
    do {
      // They were accepted, so a store that is being closed does them yet.
      try inSession { session in
        for job in jobs { job.run(session) }
      }
      for job in jobs { job.complete(nil) }
    } catch {
      for job in jobs { job.complete(error) }
    }
  }
}

/// What became of one caller's write.
private final class Outcome<Success: Sendable>: Sendable {
  private struct State {
    var isCancelled = false
    var result: Result<Success, any Error>?
  }

  private let state = Locked(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  func run(_ body: () throws -> Success) {
    if isCancelled { return state.withLock { $0.result = .failure(CancellationError()) } }
    let result = Result { try body() }
    state.withLock { $0.result = result }
  }

  /// The caller's own error counts before one that concerns the whole batch: it left no trace in any case.
  func result(orFailing error: (any Error)?) -> Result<Success, any Error> {
    let result = state.withLock { $0.result }
    if case .failure = result { return result ?? .failure(CancellationError()) }
    if let error { return .failure(error) }
    return result ?? .failure(CancellationError())
  }
}
