import DaybookEngine
import DaybookModel

/// The thread that takes the commits of other nodes while no other process of the node does.
///
/// It waits for the journal's write lock like any writer; no writer waits for it. Feeds and live results need not know of
/// it: the commits come through the journal, like commits of another process.
package final class StreamFollower: Sendable {
  private struct State {
    /// Whether this process follows, and has read the stream to its end at least once.
    var isFollowing = false
    /// The error that has ended the following.
    var failure: StoreError?
    /// The code of the last error that was logged.
    var logged: StoreError.Code?
  }

  private let replicator: Replicator
  private var keeper: ProjectionKeeper { replicator.keeper }
  private let worker = Worker("daybook follower")
  private let state = Locked(State())

  /// How long the thread waits for news before it reads the stream nevertheless: a publisher may have ended before it
  /// could report its commit.
  private static let idleTime = Duration.milliseconds(200)
  /// How long the thread trusts the servers to have what they had.
  private static let reconsiderTime = Duration.seconds(2)

  init(_ replicator: Replicator) { self.replicator = replicator }

  /// Whether this process follows, and has read the stream to its end at least once.
  package var isFollowing: Bool { state.withLock { $0.isFollowing } }
  /// The error that has ended the following, or `nil`.
  package var failure: StoreError? { state.withLock { $0.failure } }

  func start() {
    worker.start {
      self.run()
      return false
    }
  }

  /// Ends the thread.
  func close() { worker.close() }

  private func run() {
    while !worker.isClosed {
      do {
        if let lock = try FollowLock(keeper.files.directory) {
          try withExtendedLifetime(lock) { try follow() }
        }
      } catch {
        if end(after: StoreError.translating(error) as? StoreError) { return }
      }
      if !worker.isClosed { wait() }
    }
  }

  /// Follows the stream until the store is closed or an error occurs.
  ///
  /// Each request costs the servers as much as a message, so the stream is asked for a commit that another node reports,
  /// and for its end only when nothing was reported for a while.
  private func follow() throws {
    try take(until: .end)
    try replicator.report()
    var (considered, taken) = (ContinuousClock.now, ContinuousClock.now)
    var isBusy = false
    while !worker.isClosed {
      // Of several commits in a short time the last one may not be reported.
      let news = replicator.waitForSignal(
        atMost: isBusy ? NodeState.pace * 2 : StreamFollower.idleTime, gatheringUntil: taken + NodeState.pace)
      if ContinuousClock.now - considered > StreamFollower.reconsiderTime {
        try replicator.reconsider()
        considered = .now
        isBusy = try take(until: .end)
      } else if replicator.withState({ $0.defersFollowing(at: .now) }), news != .question {
        // A node that asks waits for what this one has on its disk.
        isBusy = true
      } else if let position = try replicator.reportedPosition() {
        // A writer that waits for reports may have received the report first, so this does not depend on the news.
        try take(until: .position(position))
        isBusy = true
      } else if news == .nothing {
        isBusy = try take(until: .end)
      }
      if news == .question { try replicator.report() }
      taken = .now
    }
  }

  /// Takes commits, and reports if there were any.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  private func take(until goal: ReadingGoal) throws -> Bool {
    let before = try head()
    try replicator.catchUp(until: goal, within: replicator.followingLimit)
    state.withLock { state in
      state.isFollowing = true
      state.logged = nil
    }
    // A process that writes reports its own commits.
    guard try head() > before else { return false }
    try replicator.report()
    return true
  }

  private func head() throws -> Position { try keeper.files.withJournal { try $0.head() } }

  private func wait() {
    worker.wakeup.reset()
    // A close before the reset is seen here.
    if !worker.isClosed { _ = worker.wakeup.block(atMost: StreamFollower.idleTime) }
  }

  /// Returns whether an error ends the following; others pass.
  private func end(after error: StoreError?) -> Bool {
    guard let error, error.code != .closed else { return false }
    let isFinal = [.conflict, .damaged, .badRequest, .readOnly, .newerFormat].contains(error.code)
    let isNew = state.withLock { state in
      state.isFollowing = false
      if isFinal { state.failure = error }
      defer { state.logged = error.code }
      return state.logged != error.code
    }
    if isNew {
      keeper.files.options.logger?.error(
        isFinal ? "the store stops following" : "the stream cannot be followed now",
        metadata: ["store": "\(keeper.files.path)", "error": "\(error)"])
    }
    return isFinal
  }
}
