import DaybookModel
import DaybookQuery
import DaybookRuntime

/// Several requests that step to one position together, by a call.
///
/// Nothing is queued, and nothing is computed between two calls. It may be used from any thread. Several loops over
/// ``changes`` share the steps: each step goes to one of them.
package final class JointResults: FeedSource, @unchecked Sendable {
  /// The requests, in the order of a step's parts.
  let requests: [JointRequest]
  let wakeup: Wakeup
  private let store: Store
  private let granularity: ChangeGranularity

  /// Protects the members below.
  private let lock = Locked(())
  private var cursor: RequestGroupCursor
  /// The followed requests; `nil` before the first step.
  private var followed: [LiveRequest]?

  /// Whether the requests are not followed because rows are missing, which another writer keeps this process from making.
  private var awaitsRows = false

  /// Whether there may be more requests than callers from outside may give.
  private let isUnlimited: Bool
  /// What the caller had at the start; `nil` if the first step leads to the head itself: it has the values there, and no
  /// changes.
  private let origin: FeedCursor?

  /// - Parameters:
  ///   - start: What the caller has; `nil` to begin at the head.
  ///   - shownCount: The number of the first requests whose steps hold the objects of the changed rows.
  init(
    _ requests: [JointRequest], of store: Store, from start: FeedCursor?, granularity: ChangeGranularity,
    showing shownCount: Int? = nil
  ) {
    isUnlimited = shownCount != nil
    self.requests = requests
    self.store = store
    wakeup = Wakeup(measuring: store.files.metrics.feedLag)
    self.granularity = granularity
    origin = start
    cursor = RequestGroupCursor(
      requests, from: start?.position ?? .empty, of: start?.stamp, at: start?.time, granularity: granularity,
      showing: shownCount ?? 0)
  }

  deinit {
    if awaitsRows { store.notifier.unfollowProjections(wakeup) }
    for live in followed ?? [] { store.notifier.unfollow(live, wakeup) }
  }

  /// The position up to which everything was reported.
  package var position: Position { lock.withLock { cursor.position } }

  var stamp: ScopeStamp? { lock.withLock { cursor.stamp } }

  var time: Timestamp? { lock.withLock { cursor.time } }

  /// Returns the next step that is not empty.
  ///
  /// - Returns: The step to the head, or with `.everyCommit` to the next commit that changed something; `nil` if nothing
  ///   changed, or if a projection has no rows yet, which another writer keeps this process from making.
  /// - Throws: `StoreError`: `badRequest` if a later model lacks what a request names, `notFound` if the start position
  ///   is beyond the head, `closed`.
  /// - Complexity: For each request as ``StoreResults/update()``; the commits are read once.
  @discardableResult
  package func update() throws -> JointChange? {
    try lock.withLock {
      wakeup.reset()
      return try follow().flatMap { try cursor.next($0, in: store) }
    }
  }

  func poll() throws -> JointChange? { try update() }

  /// Follows the requests from now on, unless they are followed.
  ///
  /// - Throws: `StoreError` with the code `badRequest`; then none of them is followed.
  func start() throws {
    _ = try lock.withLock { try follow() }
  }

  /// Returns the followed requests; `nil` if rows are awaited. The caller holds the lock.
  private func follow() throws -> [LiveRequest]? {
    if let followed { return followed }
    if !isUnlimited { try JointRequest.check(requests) }
    guard let lives = try store.notifier.followIfBuilt(cursor.requests, wakeup) else {
      guard !awaitsRows else { return nil }
      try store.notifier.followProjections(wakeup)
      awaitsRows = true
      // The rows may have been made before that.
      wakeup.signal()
      return nil
    }
    if awaitsRows { store.notifier.unfollowProjections(wakeup) }
    awaitsRows = false
    followed = lives
    do {
      if origin == nil {
        let (head, stamp, now) = try store.keeper.read(in: lives[0].scope) { ($0.position, $0.stamp, try $0.now()) }
        cursor.move(to: head, of: stamp, at: now)
      } else if let origin, try !store.read({ try $0.hasCommit(of: origin) }) {
        cursor.forgetRows()
      }
    } catch {
      for live in lives { store.notifier.unfollow(live, wakeup) }
      followed = nil
      throw error
    }
    return lives
  }
}
