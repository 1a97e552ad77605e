import DaybookEngine

/// What works for an open store: writes, and on threads of their own asynchronous writes, feeds, user projections,
/// snapshots, and the commits of other nodes.
///
/// They refer to the open store, never to ``Store``: releasing that is what closes the store.
package final class BackgroundServices: StoreObserver {
  private let store: OpenStore
  package let writer: Writer
  package let queue = WriteQueue()
  package let notifier: CommitNotifier
  let projectionWorker = ProjectionWorker()
  let snapshotScheduler = SnapshotScheduler()
  /// The node's side of the replicated journal; `nil` if the journal is not replicated, or this process cannot reach it.
  package let replicator: Replicator?
  /// Takes the commits of other nodes; `nil` if there is no replicator.
  package let follower: StreamFollower?

  package init(of store: OpenStore) {
    self.store = store
    notifier = CommitNotifier(of: store)
    let observer = CommitObserver(of: store, notifier, snapshotScheduler)
    let replicator = Replicator(of: store, hooks: [observer])
    writer = Writer(store) {
      // What a refused publication would have changed is not computed.
      (try replicator.map { [try ReplicatedWrite($0)] } ?? []) + [observer]
    } catchUp: { head in
      try replicator?.catchUp(beyond: head) ?? false
    }
    follower = replicator.map { StreamFollower($0) }
    self.replicator = replicator
  }

  /// Brings the store up to date, and starts the threads that work without being asked.
  package func start() throws {
    store.observer = self
    try store.healing { try store.foldMissingCommits() }
    try store.healing { try store.openUserProjections() }
    try projectionWorker.start(store, notifier)
    if store.options.replication.follows { follower?.start() }
  }

  func projectionsDidChange() { notifier.noteCommits([]) }

  func projectionsWereReplaced() throws {
    try store.openUserProjections()
    notifier.noteReplacement()
  }

  /// Sets the gauges of the store, and of its part in a replicated journal.
  package func reportMetrics() throws {
    try store.reportMetrics()
    try replicator?.reportMetrics()
  }

  /// Ends the threads after the work that they have begun, and closes the files.
  package func close() {
    queue.close()
    follower?.close()
    projectionWorker.close()
    notifier.close()
    snapshotScheduler.close()
    replicator?.close()
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
