/// Keeps the catch-up projections of an open store up to date.
///
/// Its thread sleeps until the notifier reports that something has changed in the store.
final class ProjectionWorker: Sendable {
  private let worker = Worker("daybook projections")

  /// Starts the thread if the store is to follow any projection.
  func start(_ store: OpenStore, _ notifier: CommitNotifier) throws {
    guard store.options.followsProjections, store.options.projections.contains(where: { $0.mode == .catchUp })
    else { return }
    try notifier.followProjections(worker.wakeup)
    worker.start {
      self.catchUp(store)
      return true
    }
  }

  /// Ends the thread; the commits that it has applied stay applied.
  func close() { worker.close() }

  private func catchUp(_ store: OpenStore) {
    for projection in store.options.projections where projection.mode == .catchUp {
      do {
        guard !worker.isClosed, try store.hasWork(projection) else { continue }
        try store.run(projection, .current) { _ in if worker.isClosed { throw CancellationError() } }
      } catch is CancellationError {
        return
      } catch {
        if worker.isClosed { return }
        // The projection is tried again with the next commit, and from time to time without one. Callers that wait for
        // the projection meet the error too.
        store.options.logger?.warning(
          "a projection is behind", metadata: ["projection": "\(projection.name)", "error": "\(error)"])
      }
    }
  }
}
