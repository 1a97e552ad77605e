import DaybookEngine
import DaybookModel

/// A commit whose changes of live requests are computed while the disk flushes it.
///
/// The writer makes it before the flush, a thread of the notifier computes the change of each request that the commit may
/// touch, and the writer confirms it when the commit is in the journal. Nothing is delivered before that: if the flush
/// fails, the preparation is never confirmed, and what was computed is dropped with the next one.
final class ChangePreparation {
  /// What the commit changes in the scopes of the requests, read in the writer's transaction.
  let deltas: [RequestScope: CommitDelta]
  /// The position of the commit.
  let position: Position
  /// The requests that the commit may touch.
  let requests: [LiveRequest]
  private let state = Locked(State())

  private struct State {
    /// Whether the commit is in the journal.
    var isConfirmed = false
    /// The followers whose change is known.
    var ready: [Followers] = []
    /// Whether the writer wakes all other followers, so that the thread need not.
    var isOver = false
  }

  private let keeper: ProjectionKeeper
  private let projections: OpenProjections

  /// - Parameters:
  ///   - projections: The projections of the writer, which keep the delta once the commit is in the journal.
  ///   - requests: The requests in these scopes that the commit may touch.
  init(
    _ deltas: [RequestScope: CommitDelta], at position: Position, of requests: [LiveRequest],
    in keeper: ProjectionKeeper, _ projections: OpenProjections
  ) {
    self.deltas = deltas
    self.position = position
    self.requests = requests
    self.keeper = keeper
    self.projections = projections
  }

  /// Whether the commit is in the journal.
  var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

  /// The number of requests whose change is known; tests wait for it.
  var readyCount: Int { state.withLock { $0.ready.count } }

  /// Records that a request has its change, and wakes its followers if the commit is in the journal.
  func noteReady(_ followers: Followers) {
    let isDue = state.withLock { state in
      state.ready.append(followers)
      return state.isConfirmed && !state.isOver
    }
    if isDue { tell(followers) }
  }

  /// Wakes the followers whose change is known.
  func confirm(in transaction: Int) {
    for delta in deltas.values { delta.confirm(in: transaction) }
    if let delta = deltas[.stored] { projections.keep(delta) }
    let ready = state.withLock { state in
      state.isConfirmed = true
      return state.ready
    }
    for followers in ready { tell(followers) }
  }

  private func tell(_ followers: Followers) {
    keeper.files.options.momentProbe?(.differenceReady)
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
