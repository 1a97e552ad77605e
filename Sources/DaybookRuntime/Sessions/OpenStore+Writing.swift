import DaybookEngine
import DaybookModel
import LMDB
import WorkLimits

extension OpenStore {
  /// Runs `body` in a session and makes its commits durable.
  ///
  /// The body runs again, in another session, if the projections turn out to be damaged, or if the journal is replicated
  /// and another node was faster.
  ///
  /// - Parameter didFail: Called when a session has ended without its commits; the body may run again after it.
  package func withSession<Result>(
    _ body: (WriteSession) throws -> Result, didFail: () -> Void = {}
  ) throws -> Result {
    try checkOpen()
    return try inSession(body, didFail: didFail)
  }

  /// Runs `body` in a session, whether or not the store is being closed.
  func inSession<Result>(_ body: (WriteSession) throws -> Result, didFail: () -> Void = {}) throws -> Result {
    try checkHealth()
    do {
      return try publishing { attempt in
        try healing {
          do {
            return try write(&attempt, body)
          } catch {
            didFail()
            throw error
          }
        }
      }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func write<Result>(
    _ attempt: inout WriteAttempt, _ body: (WriteSession) throws -> Result
  ) throws -> Result {
    let session = try WriteSession.begin(self)
    // Without arrivals the journal's place may be any.
    if let arrivals = attempt.arrivals, !arrivals.isEmpty, let fork = try session.take(arrivals) { throw fork.error }
    attempt.head = session.head
    let result = try body(session)
    try session.finish()
    attempt.published = session.publishedPosition
    return result
  }

  /// Runs the jobs of a queue, within the time that the most patient of their callers has.
  ///
  /// - Parameter further: Takes the jobs that were queued since then.
  package func perform(_ jobs: [WriteQueue.Job], further: () -> [WriteQueue.Job]) {
    let ends = jobs.compactMap(\.end)
    let end = ends.count == jobs.count ? ends.max() : nil
    WorkLimit.$current.withValue(end.map { WorkLimit(max($0 - .now, .zero)) }) { performAll(jobs, further: further) }
  }

  /// Runs the jobs of a queue in one session, or in several if the journal is replicated and a message is full.
  ///
  /// - Parameter further: Takes the jobs that were queued since then.
  private func performAll(_ jobs: [WriteQueue.Job], further: () -> [WriteQueue.Job]) {
    var rest = jobs
    var isAtEnd = replica == nil
    var head = Position.empty
    while !rest.isEmpty {
      var done: [WriteQueue.Job] = []
      var failed: [WriteQueue.Job] = []
      var isRunAgain = false
      do {
        // These jobs were accepted, so a store that is being closed still runs them.
        try inSession { session in
          // Jobs that were queued while another node was faster share the next message.
          if isRunAgain { rest += further() }
          isRunAgain = true
          (done, failed) = ([], [])
          for job in rest {
            if try job.run(session) { done.append(job) } else { failed.append(job) }
            if session.fillsMessage { break }
          }
          head = session.head
        }
      } catch {
        for job in rest { job.complete(error) }
        return
      }
      rest.removeFirst(done.count + failed.count)
      for job in done { job.complete(nil) }
      if !failed.isEmpty, !isAtEnd, let replica {
        isAtEnd = true
        // If the node cannot catch up, it judges by the commits that it has.
        if (try? catchUpMoves(replica, from: head)) == true {
          rest = failed + rest
          continue
        }
      }
      for job in failed { job.complete(nil) }
    }
  }

  /// Rebuilds tables from the journal; see ``Store/rebuild(_:progress:)``.
  package func rebuild(_ tables: [TableName], _ progress: ((Progress) -> Void)?) throws {
    // A full map may show only when the tables are committed.
    try growing { if let failure = try healing({ try rebuildOnce(tables, progress) }) { throw failure } }
  }

  /// - Returns: The error that prevented the new tables from being committed, or `nil`.
  private func rebuildOnce(_ tables: [TableName], _ progress: ((Progress) -> Void)?) throws -> LMDBError? {
    let session = try WriteSession.begin(self)
    try session.rebuild(tables, progress: progress)
    return try session.finish()
  }
}
