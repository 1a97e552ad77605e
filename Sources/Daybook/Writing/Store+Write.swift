import DaybookEngine
import DaybookModel
import DaybookRuntime
import Tracing
import WorkLimits

extension Store {
  /// Writes one commit.
  ///
  ///     let cake = try store.write(author: "editor") { tx in
  ///       try tx.insert("Recipe", ["name": "Cake"])
  ///     }
  ///     try store.write(CommitInfo(metadata: ["ticket": "A-17"], when: .untouched(cake, since: seen))) { tx in
  ///       try tx.rename(cake, to: "Torte")
  ///     }
  ///
  /// When this returns, the commit is on disk (see ``StoreOptions/durability``) and every inline projection has applied
  /// it. If nothing changed, there is no commit. If anything throws, nothing is written.
  ///
  /// The closure runs on this thread, under the store's write lock, which other threads and processes wait for. It runs
  /// once, unless the store's files have to grow, it meets damage in the projections, it reads tables that this process
  /// has not opened yet, or the journal is replicated and commits of other nodes come first, also after an error that
  /// these may change: then its changes are dropped, and it runs again at the present head. A write inside a write of
  /// the same thread throws ``StoreError/Code/nestedWrite``.
  ///
  /// - Parameters:
  ///   - info: What is stated about the commit besides its events, and a condition on the journal that must hold.
  ///   - body: The verbs of the commit.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`; `StoreError` for broken constraints, full disks and damage; with the code
  ///   `conditionFailed` if the condition does not hold, `notFound` if the cause is not in the journal, `badValue` and
  ///   `tooLarge` if the metadata are refused, `conflict` if the journal has the commit id of `info`, so that there is no
  ///   result: ``commit(_:_:)`` returns which commit that is.
  @discardableResult
  public func write<Result>(
    _ info: CommitInfo, _ body: (borrowing Transaction) throws -> Result
  ) throws -> Result {
    try withStoreSpan(SpanName.write) { try writer.write { try $0.commitNew(info, body) } }
  }

  /// Writes one commit by an author; see the form with ``CommitInfo``.
  ///
  /// - Throws: The same errors.
  @discardableResult
  public func write<Result>(
    author: String? = nil, message: String? = nil, _ body: (borrowing Transaction) throws -> Result
  ) throws -> Result {
    try write(CommitInfo(author: author, message: message), body)
  }

  /// Writes one commit and returns what became of it, with its position.
  ///
  /// If `info` has a commit id that the journal contains, the closure is not run, and the known position is returned.
  ///
  /// - Throws: Any error of `body`; `StoreError` as a write does.
  @discardableResult
  public func commit<Result>(
    _ info: CommitInfo, _ body: (borrowing Transaction) throws -> Result
  ) throws -> CommitOutcome<Result> {
    try withStoreSpan(SpanName.write) { try writer.write { try $0.commitOnce(info, body) } }
  }

  /// Writes one commit without blocking the caller's thread.
  ///
  /// Concurrent callers share one disk flush.
  ///
  /// Each call is a separate commit: if one throws, the others stand. When this returns, the commit is as durable as
  /// after the synchronous form.
  ///
  /// If the task is cancelled before its closure has returned, nothing is written. A long-running closure should call
  /// ``Transaction/checkCancellation()`` regularly. Once the closure has returned, the commit stands.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError`.
  @discardableResult
  public func write<Result: Sendable>(
    _ info: CommitInfo, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
  ) async throws -> Result {
    try await withSpan(SpanName.write) { _ in try await queueWrite(info, body) }
  }

  /// Writes one commit by an author without blocking the caller's thread.
  ///
  /// - Throws: The errors of a write; `CancellationError`.
  @discardableResult
  public func write<Result: Sendable>(
    author: String? = nil, message: String? = nil, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
  ) async throws -> Result {
    try await write(CommitInfo(author: author, message: message), body)
  }

  private func queueWrite<Result: Sendable>(
    _ info: CommitInfo, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
  ) async throws -> Result {
    // The closure runs on another thread, which has no task-local context.
    let info = info.completed()
    return try await queued { session in
      try session.commitNew(info) { tx in
        let result = try body(tx)
        try tx.checkCancellation()
        return result
      }
    }
  }

  /// Runs a closure in a session that concurrent callers share, without blocking the caller's thread.
  ///
  /// - Parameter body: Makes at most one commit; may run again, in another session.
  /// - Throws: The errors of `body`, and of the session; `CancellationError` if the task is cancelled before it runs.
  package func queued<Result: Sendable>(
    _ body: @escaping @Sendable (WriteSession) throws -> Result
  ) async throws -> Result {
    try checkOpen()
    let outcome = Outcome<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        var job = WriteQueue.Job { session in
          try outcome.run(in: session) {
            let builder = session.builder
            builder.isCancelled = { outcome.isCancelled }
            defer { builder.isCancelled = nil }
            return try body(session)
          }
        } complete: { error in
          continuation.resume(with: outcome.result(orFailing: error))
        }
        job.end = WorkLimit.current?.timeLeft.map { .now + $0 }
        services.queue.add(job) { [writer] in writer.perform($0, further: $1) }
      }
    } onCancel: {
      outcome.cancel()
    }
  }

  /// Writes many commits with one flush.
  ///
  /// The store's write lock is held throughout, so other writers wait: keep a batch to some seconds.
  ///
  /// - Returns: The result of `body`; when it is returned, all commits are durable.
  /// - Throws: Any error of `body`, in which case nothing was written; `StoreError`.
  public func batch<Result>(_ body: (borrowing WriteBatch) throws -> Result) throws -> Result {
    try withStoreSpan(SpanName.batch) { try writer.write { try body(WriteBatch(session: $0)) } }
  }
}

/// The outcome of one queued write.
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

  /// Runs a closure and keeps its result.
  ///
  /// - Returns: `false` after an error that a later state may not have.
  /// - Throws: An error that concerns the session, which runs again after it or fails as a whole.
  func run(in session: WriteSession, _ body: () throws -> Success) throws -> Bool {
    let result = isCancelled ? .failure(CancellationError()) : Result { try body() }
    var failure: (any Error)?
    if case .failure(let error) = result { failure = error }
    let isOver = failure.map { session.isOver(after: $0) } ?? false
    // What becomes of the session is the outcome then.
    state.withLock { $0.result = isOver ? nil : result }
    guard let error = failure else { return true }
    if isOver { throw error }
    return (error as? StoreError)?.dependsOnState != true
  }

  /// Returns the caller's own error, else the error of the whole batch, else the result.
  ///
  /// After its own error nothing of the job was written in any case.
  func result(orFailing error: (any Error)?) -> Result<Success, any Error> {
    let result = state.withLock { $0.result }
    if case .failure = result { return result ?? .failure(CancellationError()) }
    if let error { return .failure(error) }
    return result ?? .failure(CancellationError())
  }
}

/// Many commits, for an import, that share one pair of LMDB transactions and one disk flush.
///
///     try store.batch { batch in
///       for line in lines {
///         try batch.commit(CommitInfo(author: line.author)) { tx in try tx.insert("Note", ["title": .string(line.title)]) }
///       }
///     }
///
/// Each commit is a separate commit in the journal. None of them is durable, or visible to other readers, before the
/// batch ends; if the batch's closure throws, none of them is written.
public struct WriteBatch: ~Copyable {
  let session: WriteSession

  /// The position of the last commit so far.
  public var head: Position { session.head }

  /// Makes a commit.
  ///
  /// If it throws, this commit is not written, and the batch can continue. If `info` has a commit id that the journal
  /// or the batch contains, the closure is not run, and the known position is returned.
  ///
  /// - Throws: Any error of `body`; `StoreError` as a write does.
  @discardableResult
  public func commit<Result>(
    _ info: CommitInfo = CommitInfo(), _ body: (borrowing Transaction) throws -> Result
  ) throws -> CommitOutcome<Result> {
    try session.commitOnce(info, body)
  }
}
