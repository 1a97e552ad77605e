import DaybookEngine
import LMDB

/// The threads of an open store, which end with it: asynchronous writes, feeds, user projections and snapshots.
///
/// They refer to the open store, never to ``Store``: releasing that is what closes the store.
final class StoreThreads: OpenStoreObserver {
  private let store: OpenStore
  let queue = WriteQueue()
  let notifier: CommitNotifier
  let projectionWorker = ProjectionWorker()
  let snapshotScheduler = SnapshotScheduler()
  /// Takes the commits of other nodes; `nil` if the journal is not replicated.
  let follower: StreamFollower?

  init(of store: OpenStore) {
    self.store = store
    notifier = CommitNotifier(of: store)
    follower = store.replica.map { StreamFollower($0, of: store) }
  }

  /// Brings the store up to date, and starts the threads that work without being asked.
  func start() throws {
    store.observer = self
    try store.healing { try store.bringUpToDate() }
    try store.healing { try store.openUserProjections() }
    try projectionWorker.start(store, notifier)
    if store.options.replication.follows { follower?.start() }
  }

  func prepareChanges(by commits: [PendingCommit], in reader: Reader) -> (any CommitPreparation)? {
    notifier.prepareChanges(by: commits, in: reader)
  }

  func noteCommits(_ commits: [PendingCommit]) {
    notifier.noteCommits(commits)
    // A gauge that cannot be read is set the next time; a write must not fail for it.
    if store.metrics.isReportDue() { try? store.reportMetrics() }
    snapshotScheduler.note(events: commits.reduce(0) { $0 + $1.header.eventCount }, of: store)
  }

  func noteProjectionRows() { notifier.noteCommits([]) }

  func noteReplacement() throws {
    try store.openUserProjections()
    notifier.noteReplacement()
  }

  /// Ends the threads after the work that they have begun, and closes the files.
  func close() {
    queue.close()
    follower?.close()
    projectionWorker.close()
    notifier.close()
    snapshotScheduler.close()
    store.closeFiles()
  }
}
