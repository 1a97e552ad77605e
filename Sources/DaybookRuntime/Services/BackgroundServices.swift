import DaybookEngine

/// What works for an open store: writes, and on threads of their own asynchronous writes, feeds, user projections,
/// snapshots, and the commits of other nodes.
///
/// They refer to the open store, never to ``Store``: releasing that is what closes the store.
package final class BackgroundServices: StoreObserver {
  private let keeper: ProjectionKeeper
  package let writer: Writer
  package let queue = WriteQueue()
  package let notifier: CommitNotifier
  let projectionWorker = ProjectionWorker()
  let snapshotScheduler = SnapshotScheduler()
  private let metricsReporter = MetricsReporter()
  /// The node's side of the replicated journal; `nil` if the journal is not replicated, or this process cannot reach it.
  package let replicator: Replicator?
  /// Takes the commits of other nodes; `nil` if there is no replicator.
  package let follower: StreamFollower?

  package init(of keeper: ProjectionKeeper) {
    self.keeper = keeper
    notifier = CommitNotifier(of: keeper)
    let observer = CommitObserver(of: keeper, notifier, snapshotScheduler)
    let replicator = Replicator(of: keeper, hooks: [observer])
    writer = Writer(keeper) {
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
    keeper.observer = self
    try keeper.healing { try keeper.foldMissingCommits() }
    try keeper.healing { try keeper.openUserProjections() }
    try projectionWorker.start(keeper, notifier)
    if keeper.files.options.replication.follows { follower?.start() }
    metricsReporter.start { [weak self] in try self?.reportMetrics() }
  }

  func projectionsDidChange() {
    notifier.noteCommits([])
    snapshotScheduler.noteRows(of: keeper)
  }

  func rowsWillBeReplaced(
    of projection: String, _ states: (RequestScope) throws -> ReplacedStates?
  ) throws {
    snapshotScheduler.noteReplacement()
    try notifier.noteReplacement(of: projection, states)
  }

  func projectionsWereReplaced() throws {
    snapshotScheduler.noteReplacement()
    try keeper.openUserProjections()
    notifier.noteReplacement()
  }

  /// Sets the gauges of the store, and of its part in a replicated journal.
  package func reportMetrics() throws {
    try keeper.reportMetrics()
    try replicator?.reportMetrics()
  }

  /// Ends the threads after the work that they have begun, and closes the files.
  package func close() {
    queue.close()
    metricsReporter.close()
    follower?.close()
    projectionWorker.close()
    notifier.close()
    snapshotScheduler.close()
    replicator?.close()
    keeper.close()
  }

  /// Opens a store and closes it: projections that cannot be trusted are built.
  static func run(in directory: StoreDirectory, options: StoreOptions) throws {
    let keeper = try ProjectionKeeper(of: StoreFiles(directory, options: options))
    let services = BackgroundServices(of: keeper)
    defer { if keeper.beginClosing() { services.close() } }
    try services.start()
  }
}
