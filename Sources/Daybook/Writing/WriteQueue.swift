import DaybookModel
import Foundation
import Synchronization

/// The writes of asynchronous callers, which one thread takes together: all that wait while a disk is flushed share the
/// next flush.
final class WriteQueue: Sendable {
  /// A write, and how its caller learns what became of it.
  struct Job: Sendable {
    /// Makes the commit in a session. Does not throw: what goes wrong concerns only this job.
    let run: @Sendable (WriteSession) -> Void
    /// Tells the caller, once the session has ended; with an error if that failed for all.
    let complete: @Sendable ((any Error)?) -> Void
  }

  /// The most writes that share a flush.
  static let maximumBatchCount = 1_024

  private struct State {
    var jobs: [Job] = []
    var isRunning = false
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds a write.
  ///
  /// - Parameter perform: Runs a batch of jobs in one session; called on the queue's own thread.
  func add(_ job: Job, perform: @escaping @Sendable ([Job]) -> Void) {
    let (mustStart, isClosed) = state.withLock { state -> (Bool, Bool) in
      if state.isClosed { return (false, true) }
      state.jobs.append(job)
      defer { state.isRunning = true }
      return (!state.isRunning, false)
    }
    if isClosed { return job.complete(StoreError(.closed, "The store was closed.", advice: "Open it again.")) }
    guard mustStart else { return }
    let thread = Thread { self.drain(perform) }
    thread.name = "daybook writer"
    thread.start()
  }

  /// Refuses further writes; those that were added are done.
  func close() {
    state.withLock { $0.isClosed = true }
    while state.withLock({ $0.isRunning }) { Thread.sleep(forTimeInterval: 0.001) }
  }

  private func drain(_ perform: @Sendable ([Job]) -> Void) {
    var idleRounds = 0
    while true {
      let batch = state.withLock { state -> [Job]? in
        let batch = Array(state.jobs.prefix(WriteQueue.maximumBatchCount))
        state.jobs.removeFirst(batch.count)
        if batch.isEmpty, idleRounds > 20 || state.isClosed {
          state.isRunning = false
          return nil
        }
        return batch
      }
      guard let batch else { return }
      if batch.isEmpty {
        // Starting a thread costs more than waiting a little for the callers that were just answered.
        idleRounds += 1
        Thread.sleep(forTimeInterval: 0.000_05)
      } else {
        idleRounds = 0
        perform(batch)
      }
    }
  }
}

extension Store {
  /// Writes one commit without blocking the caller's thread; concurrent callers share one flush of the disk.
  ///
  /// Each call is a commit of its own: if one throws, the others stand. When this returns, the commit is as durable as
  /// with the synchronous form.
  ///
  /// A task that is cancelled before its turn does not write. Once the closure has run, the commit stands.
  ///
  /// - Throws: As the synchronous form; `CancellationError`.
  @discardableResult
  public func write<Result: Sendable>(
    author: String? = nil, message: String? = nil, happenedAt: Timestamp? = nil,
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
  ) async throws -> Result {
    try checkOpen()
    let info = CommitInfo(author: author, message: message, happenedAt: happenedAt)
    let outcome = Outcome<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = WriteQueue.Job { session in
          outcome.run {
            try session.commit(info, body).result
          }
        } complete: { error in
          continuation.resume(with: outcome.result(orFailing: error))
        }
        queue.add(job) { self.perform($0) }
      }
    } onCancel: {
      outcome.cancel()
    }
  }

  private func perform(_ jobs: [WriteQueue.Job]) {
    do {
      try withSession { session in
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

  private let state = Mutex(State())

  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  func run(_ body: () throws -> Success) {
    if state.withLock({ $0.isCancelled }) { return state.withLock { $0.result = .failure(CancellationError()) } }
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
