import DaybookEngine
import DaybookModel

/// A commit whose changes of live requests are computed while the disk flushes it.
///
/// The writer makes it before the flush, a thread of the notifier computes the change of each request that the commit may
/// touch, and the writer confirms it when the commit is in the journal. Nothing is delivered before that: if the flush
/// fails, the preparation is never confirmed, and what was computed is dropped with the next one.
final class ChangePreparation {
  /// What the commit changes, read in the writer's transaction.
  let changes: CommitChanges
  /// The requests that the commit may touch.
  let requests: [LiveRequest]
  private let state = Locked(State())

  private struct State {
    /// The journal's transaction that made the commit, once it is in the journal.
    var transaction: Int?
    /// The followers whose change is known.
    var ready: [Followers] = []
    /// Whether the writer wakes all other followers, so that the thread need not.
    var isOver = false
  }

  private let probe: (@Sendable (MeasuredMoment) -> Void)?

  /// - Parameter probe: Called for each request whose change is known, once the commit is in the journal.
  init(
    _ changes: CommitChanges, of requests: [LiveRequest], probe: (@Sendable (MeasuredMoment) -> Void)? = nil
  ) {
    self.changes = changes
    self.requests = requests
    self.probe = probe
  }

  /// The position of the commit.
  var position: Position { changes.position }

  /// The journal's transaction that made the commit, or `nil` before the commit is in the journal.
  var transaction: Int? { state.withLock { $0.transaction } }

  /// The number of requests whose change is known; tests wait for it.
  var readyCount: Int { state.withLock { $0.ready.count } }

  /// Records that a request has its change, and wakes its followers if the commit is in the journal.
  func noteReady(_ followers: Followers) {
    let isDue = state.withLock { state in
      state.ready.append(followers)
      return state.transaction != nil && !state.isOver
    }
    if isDue { tell(followers) }
  }

  /// Wakes the followers whose change is known.
  func confirm(in transaction: Int) {
    let ready = state.withLock { state in
      state.transaction = transaction
      return state.ready
    }
    for followers in ready { tell(followers) }
  }

  private func tell(_ followers: Followers) {
    probe?(.differenceReady)
    followers.wake()
  }

  /// Returns the requests whose followers were not woken; the thread wakes no others from now on.
  func end() -> [LiveRequest] {
    let woken = state.withLock { state in
      state.isOver = true
      return Set(state.ready.map { ObjectIdentifier($0) })
    }
    return requests.filter { !woken.contains(ObjectIdentifier($0.followers)) }
  }
}
