import LMDB

/// Keeps the catch-up projections of an open store up to date.
///
/// Its thread sleeps until the notifier reports that something has changed in the store.
final class ProjectionWorker: Sendable {
  private let worker = Worker("daybook projections")
  /// How long a step waits for a writer; the closing of the store waits for the step.
  private static let lockTimeLimit = Duration.seconds(1)

  /// Starts the thread if the store is to follow any projection.
  func start(_ keeper: ProjectionKeeper, _ notifier: CommitNotifier) throws {
    guard keeper.files.options.followsProjections,
      keeper.files.options.projections.contains(where: { $0.mode == .catchUp })
    else { return }
    try notifier.followProjections(worker.wakeup)
    worker.start {
      self.catchUp(keeper)
      return true
    }
  }

  /// Ends the thread; the commits that it has applied stay applied.
  func close() { worker.close() }

  private func catchUp(_ keeper: ProjectionKeeper) {
    for projection in keeper.files.options.projections where projection.mode == .catchUp {
      do {
        guard !worker.isClosed, try keeper.hasWork(projection) else { continue }
        try keeper.run(projection, .current, waitingAtMost: ProjectionWorker.lockTimeLimit) { _ in
          if worker.isClosed { throw CancellationError() }
        }
      } catch is CancellationError {
        return
      } catch let error as LMDBError where error.kind == .writerBusy {
        // Its commit wakes this thread again.
        return
      } catch {
        if worker.isClosed { return }
        // The projection is tried again with the next commit, and from time to time without one. Callers that wait for
        // the projection meet the error too.
        keeper.files.options.logger?.warning(
          "a projection is behind", metadata: ["projection": "\(projection.name)", "error": "\(error)"])
      }
    }
  }
}
