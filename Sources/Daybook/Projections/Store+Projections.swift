import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// The state of a projection in the store.
  public struct ProjectionStatus: Hashable, Sendable {
    /// The projection's name.
    public let name: String
    /// The version of the rows that are read.
    public let version: Int
    /// The last commit that the projection has applied.
    public let checkpoint: Position
    /// The number of commits from the checkpoint to the head.
    public let lag: UInt64
    /// The number of quarantined and skipped events.
    public let quarantineCount: Int
    /// The event before which the projection has stopped, if any.
    public let stop: QuarantinedEvent?
    /// The last commit applied by an unfinished rebuild, if there is one.
    public let rebuild: Position?
    /// Whether this process knows the projection.
    public let isKnown: Bool
  }

  /// Returns the states of the user projections, by name.
  ///
  /// They are the projections of which the store has rows, and the projections that this process knows.
  ///
  /// - Throws: `StoreError`.
  public func projections() throws -> [ProjectionStatus] {
    try checkOpen()
    do {
      return try keeper.healing { try keeper.withSnapshots { try projections(in: $0, head: $1.head()) } }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Returns the states of the user projections in the transactions of a reader.
  package func projections(as reader: borrowing StoreReader) throws -> [ProjectionStatus] {
    try projections(in: keeper.projections(of: reader), head: reader.position)
  }

  private func projections(in snapshot: ProjectionsSnapshot, head: Position) throws -> [ProjectionStatus] {
    let names = Set(try snapshot.opened.recordNames(in: snapshot.snapshot) + options.projections.map(\.name))
    return try names.sorted().map { try status(of: $0, in: snapshot, head: head) }
  }

  /// Applies the commits that a projection has not applied yet, on this thread.
  ///
  /// When this returns, the projection has applied all commits that any process made before the call.
  ///
  /// - Parameters:
  ///   - name: The name of a projection that this process knows.
  ///   - progress: Called after each transaction with the progress. If it throws, or the task is cancelled, the work
  ///     ends between two transactions, and the next call resumes it.
  /// - Throws: `StoreError`: `notFound` if this process does not know the projection, `projectionStopped` if an event
  ///   stops it, `newerFormat` if the store has a later version of it; `CancellationError`; what `progress` throws.
  /// - Complexity: The projection's own cost for each new event.
  public func catchUp(_ name: String, progress: ((Progress) throws -> Void)? = nil) throws {
    try work(on: name, .current, "catching up with", progress)
  }

  /// Rebuilds the rows of a projection beside the present ones, and then replaces these.
  ///
  ///     try store.rebuild(projection: "activity") { print($0.completed, $0.total ?? 0) }
  ///
  /// Readers use the old rows until the replacement. A writer waits at times, but no longer than for another commit.
  /// Effects are off. If the rebuild ends early (the task is cancelled, `progress` throws, the process is killed), the
  /// rows built so far are kept, and the next call resumes from there; ``discardRebuild(of:)`` discards them.
  ///
  /// - Parameters:
  ///   - name: The name of a projection that this process knows.
  ///   - progress: Called after each transaction with the progress.
  /// - Throws: As ``catchUp(_:progress:)``.
  public func rebuild(projection name: String, progress: ((Progress) throws -> Void)? = nil) throws {
    guard let projection = keeper.knownProjection(name) else { throw StoreError(unknownProjection: name) }
    do {
      // The live rows are brought up to date first, as the new rows follow their checkpoint and do not overtake it. If
      // the live rows have stopped, the new rows may get further.
      try keeper.run(projection, .current)
    } catch {
      throw StoreError.translating(error)
    }
    try work(on: name, .rebuilt, "rebuilding", progress)
    try work(on: name, .current, "catching up with", nil)
  }

  /// Discards the rows of an unfinished rebuild.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the store has no such projection.
  public func discardRebuild(of name: String) throws {
    try keeper.discardRebuild(of: name)
  }

  private func work(
    on name: String, _ goal: ProjectionStep.Goal, _ verb: String, _ progress: ((Progress) throws -> Void)?
  ) throws {
    guard let projection = keeper.knownProjection(name) else { throw StoreError(unknownProjection: name) }
    do {
      let outcome = try keeper.run(projection, goal) { outcome in
        try Task.checkCancellation()
        try progress?(
          Progress(
            activity: "\(verb) \(name)", completed: outcome.checkpoint.number, total: outcome.target.number,
            unit: "commits"))
      }
      if let stop = outcome.stop { throw StoreError(stop, of: name) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func status(of name: String, in snapshot: ProjectionsSnapshot, head: Position) throws -> ProjectionStatus {
    let known = keeper.knownProjection(name)
    let record = try snapshot.record(of: name)
    let live = record.live
    let checkpoint = live?.checkpoint.position ?? .empty
    return ProjectionStatus(
      name: name, version: live.map { Int(clamping: $0.version) } ?? known?.version ?? 0, checkpoint: checkpoint,
      lag: head.number - min(head.number, checkpoint.number),
      quarantineCount: Int(clamping: live?.quarantineCount ?? 0),
      stop: (live?.stop ?? record.next?.stop).map {
        QuarantinedEvent(address: $0.address, reason: $0.reason, state: .stopped)
      },
      rebuild: record.next?.checkpoint.position, isKnown: known != nil)
  }
}
