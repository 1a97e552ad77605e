import DaybookEngine
import DaybookModel

/// The thread that takes the commits of other nodes while no other process of the node does.
///
/// It waits for the journal's write lock like any writer; no writer waits for it. Feeds and live results need not know of
/// it: the commits come through the journal, like commits of another process.
final class StreamFollower: Sendable {
  private struct State {
    /// Whether this process follows, and has read the stream to its end at least once.
    var isFollowing = false
    /// The error that has ended the following.
    var failure: StoreError?
    /// The last commit that was reported to the other nodes.
    var reported: Position?
    /// The code of the last error that was logged.
    var logged: StoreError.Code?
  }

  private let replica: Replica
  private let store: OpenStore
  private let worker = Worker("daybook follower")
  private let state = Locked(State())

  /// How long the thread waits for news before it reads the stream nevertheless: a publisher may have ended before it
  /// could tell of its commit.
  private static let idleTime = Duration.milliseconds(200)
  /// How long the thread trusts the servers to have what they had.
  private static let reconsiderTime = Duration.seconds(2)

  init(_ replica: Replica, of store: OpenStore) {
    self.replica = replica
    self.store = store
  }

  /// Whether this process follows, and has read the stream to its end at least once.
  var isFollowing: Bool { state.withLock { $0.isFollowing } }
  /// The error that has ended the following, or `nil`.
  var failure: StoreError? { state.withLock { $0.failure } }

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
        if let lock = try FollowLock(store.projectionsOpening.directory) {
          try withExtendedLifetime(lock) { try follow() }
        }
      } catch {
        if end(after: StoreError.translating(error) as? StoreError) { return }
      }
      if !worker.isClosed { wait() }
    }
  }

  /// Follows the stream until the store is closed or an error occurs.
  private func follow() throws {
    var considered = ContinuousClock.now
    while !worker.isClosed {
      if ContinuousClock.now - considered > StreamFollower.reconsiderTime {
        try store.reconsider(replica)
        considered = .now
      }
      try store.catchUp(replica)
      let head = try store.withJournal { try $0.head() }
      let isNew = state.withLock { state in
        state.isFollowing = true
        state.logged = nil
        defer { state.reported = head }
        return state.reported != head
      }
      if isNew { try store.report(replica) }
      if replica.stream.waitForNews(atMost: StreamFollower.idleTime) == .question { try store.report(replica) }
    }
  }

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
      store.options.logger?.error(
        isFinal ? "the store stops following" : "the stream cannot be followed now",
        metadata: ["store": "\(store.path)", "error": "\(error)"])
    }
    return isFinal
  }
}
