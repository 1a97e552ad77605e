import DaybookEngine
import DaybookModel
import LMDB
import WorkLimits

/// Runs the writes of an open store: each in a session, and again in another one for as long as there is a reason.
package final class Writer: Sendable {
  /// Why a write runs again.
  private enum Retry {
    /// An environment's file has no room, and grows.
    case mapFull(LMDBError)
    /// The projections were damaged or replaced, and are replaced.
    case damaged
    /// Commits that were made elsewhere come first.
    case overtaken
    /// The body reads tables at the checkpoint that this process has not opened yet.
    case unopened(UnopenedTables)
  }

  private let keeper: ProjectionKeeper
  private let makeHooks: @Sendable () throws -> [any SessionHook]
  private let catchUp: @Sendable (Position) throws -> Bool

  /// - Parameters:
  ///   - makeHooks: Makes what takes part in the sessions of one write.
  ///   - catchUp: Takes commits that were made elsewhere, after queued writes that failed in the state of the store, and
  ///     returns whether there are commits after a position now.
  init(
    _ keeper: ProjectionKeeper, hooks makeHooks: @escaping @Sendable () throws -> [any SessionHook],
    catchUp: @escaping @Sendable (Position) throws -> Bool = { _ in false }
  ) {
    (self.keeper, self.makeHooks, self.catchUp) = (keeper, makeHooks, catchUp)
  }

  /// Runs `body` in a session and makes its commits durable.
  ///
  /// The body runs again, in another session, if the store's files grow, if the projections turn out to be damaged, if
  /// it reads tables that this process has not opened, or if a hook reports that commits made elsewhere come first. It
  /// does not run again once a hook has its commits (`SessionHook.hasAppendedWrite`): the next session stores these.
  ///
  /// - Parameter didFail: Called when a session has ended without its commits; the body may run again after it.
  /// - Throws: `StoreError` with the code `closed` if the store is closed; the errors of `body`, of the session and of the
  ///   hooks.
  package func write<Result>(
    _ body: (WriteSession) throws -> Result, didFail: () -> Void = {}
  ) throws -> Result {
    try keeper.files.checkOpen()
    return try run(body, didFail: didFail)
  }

  /// Rebuilds tables from the journal; see ``Store/rebuild(_:progress:)``.
  package func rebuild(_ tables: [TableName], _ progress: ((StoreProgress) -> Void)?) throws {
    try repeating([]) { try $0.rebuild(tables, progress: progress) }
  }

  /// Runs `body` in a session, whether or not the store is being closed.
  ///
  /// - Parameter hook: What takes part in the sessions of this write besides the hooks of every write.
  func run<Result>(
    adding hook: (any SessionHook)? = nil, _ body: (WriteSession) throws -> Result, didFail: () -> Void = {}
  ) throws -> Result {
    var result: Result?
    try runAll(adding: hook, { result = try body($0) }, didFail)
    guard let result else { preconditionFailure("A write that succeeds has called its closure.") }
    return result
  }

  /// Runs `body` in a session; see ``run(adding:_:didFail:)``.
  ///
  /// This and all below it is the same code for all results: it is called with types that the compiler does not know.
  private func runAll(
    adding hook: (any SessionHook)?, _ body: (WriteSession) throws -> Void, _ didFail: () -> Void
  ) throws {
    try keeper.files.checkHealth()
    do {
      // A write inside of another one of the same thread is refused when its session begins.
      let isNested = keeper.files.journalEnvironment.isWritingOnThisThread
      let hooks = try isNested ? [] : makeHooks() + (hook.map { [$0] } ?? [])
      do {
        try repeating(hooks, body, didFail: didFail)
      } catch {
        for hook in hooks { try hook.didEnd(after: error) }
        throw error
      }
      for hook in hooks { try hook.didEnd(after: nil) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func repeating(
    _ hooks: [any SessionHook], _ body: (WriteSession) throws -> Void, didFail: () -> Void = {}
  ) throws {
    var repair = ProjectionRepair(keeper)
    var hasWritten = false
    var unopened: UnopenedTables?
    while true {
      for hook in hooks { try hook.willBegin() }
      do {
        try repair.perform()
        return try attempt(hooks, &hasWritten, body, didFail)
      } catch {
        switch try retry(after: error, hooks, &repair) {
        case .mapFull(let error): try keeper.growMap(after: error)
        case .damaged, .overtaken: break
        case .unopened(let missing):
          guard missing != unopened else { throw StoreError(missing) }
          unopened = missing
          if missing == .builtIn {
            try keeper.readUnchecked { _ in }
          } else {
            try keeper.currentProjections.open(missing)
          }
        }
      }
    }
  }

  /// Runs the body in one session.
  ///
  /// - Parameter hasWritten: Whether the body has run to its end.
  private func attempt(
    _ hooks: [any SessionHook], _ hasWritten: inout Bool, _ body: (WriteSession) throws -> Void, _ didFail: () -> Void
  ) throws {
    var failure: (any Error)?
    do {
      let session = try WriteSession.begin(keeper, hooks)
      // Errors that the body has caught are not those that have ended the session.
      defer { failure = session.failure }
      for hook in hooks { try hook.didBegin(session) }
      session.beginOwnCommits()
      if !hasWritten || !hooks.contains(where: \.hasAppendedWrite) { try body(session) }
      hasWritten = true
      try session.finish()
    } catch {
      didFail()
      for hook in hooks { hook.didFail() }
      throw failure ?? error
    }
  }

  /// - Throws: The error, or one in its place, if the write does not run again.
  private func retry(
    after error: any Error, _ hooks: [any SessionHook], _ repair: inout ProjectionRepair
  ) throws -> Retry {
    if let error = error as? LMDBError, error.isMapFull { return .mapFull(error) }
    if let missing = error as? UnopenedTables { return .unopened(missing) }
    if try repair.isDue(after: error) { return .damaged }
    for hook in hooks where try hook.isOvertaken(after: error) { return .overtaken }
    throw error
  }
}

/// Queued writes.
extension Writer {
  /// Runs the jobs of a queue, within the time that the most patient of their callers has.
  ///
  /// - Parameter further: Takes the jobs that were queued since then.
  package func perform(_ jobs: [WriteQueue.Job], further: () -> [WriteQueue.Job]) {
    let ends = jobs.compactMap(\.end)
    let end = ends.count == jobs.count ? ends.max() : nil
    WorkLimit.$current.withValue(end.map { WorkLimit(max($0 - .now, .zero)) }) { performAll(jobs, further: further) }
  }

  /// Runs the jobs of a queue in one session, or in several if a hook finds that one is filled.
  ///
  /// - Parameter further: Takes the jobs that were queued since then.
  private func performAll(_ jobs: [WriteQueue.Job], further: () -> [WriteQueue.Job]) {
    var rest = jobs
    var hasCaughtUp = false
    var head = Position.empty
    while !rest.isEmpty {
      var done: [WriteQueue.Job] = []
      var failed: [WriteQueue.Job] = []
      var isRunAgain = false
      do {
        // These jobs were accepted, so a store that is being closed still runs them.
        try run { session in
          // Jobs that were queued during the session before this one share the next flush.
          if isRunAgain { rest += further() }
          isRunAgain = true
          (done, failed) = ([], [])
          for job in rest {
            if try job.run(session) { done.append(job) } else { failed.append(job) }
            if session.isFilled { break }
          }
          head = session.head
        }
      } catch {
        for job in rest { job.complete(error) }
        return
      }
      rest.removeFirst(done.count + failed.count)
      for job in done { job.complete(nil) }
      if !failed.isEmpty, !hasCaughtUp {
        hasCaughtUp = true
        // If the store cannot catch up, it judges by the commits that it has.
        if (try? catchUp(head)) == true {
          rest = failed + rest
          continue
        }
      }
      for job in failed { job.complete(nil) }
    }
  }
}
