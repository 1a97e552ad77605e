import DaybookEngine

/// What works for an open store on threads of its own, and ends with it: asynchronous writes, feeds, user projections,
/// snapshots, and the commits of other nodes.
///
/// They refer to the open store, never to ``Store``: releasing that is what closes the store.
package final class BackgroundServices: OpenStoreObserver {
  private let store: OpenStore
  package let queue = WriteQueue()
  package let notifier: CommitNotifier
  let projectionWorker = ProjectionWorker()
  let snapshotScheduler = SnapshotScheduler()
  /// Takes the commits of other nodes; `nil` if the journal is not replicated.
  package let follower: StreamFollower?

  package init(of store: OpenStore) {
    self.store = store
    notifier = CommitNotifier(of: store)
    follower = store.replica.map { StreamFollower($0, of: store) }
  }

  /// Brings the store up to date, and starts the threads that work without being asked.
  package func start() throws {
    store.observer = self
    try store.healing { try store.foldMissingCommits() }
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
  package func close() {
    queue.close()
    follower?.close()
    projectionWorker.close()
    notifier.close()
    snapshotScheduler.close()
    store.closeFiles()
  }

  /// Opens a store and closes it: projections that cannot be trusted are built.
  static func run(in directory: StoreDirectory, options: StoreOptions) throws {
    let store = try OpenStore(directory, options: options)
    let services = BackgroundServices(of: store)
    defer { if store.beginClosing() { services.close() } }
    try services.start()
  }
}
