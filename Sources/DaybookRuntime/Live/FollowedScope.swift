import DaybookEngine
import DaybookModel
import DaybookQuery
import LMDB

/// The followed requests that are read in one scope, and what is known of the commits there.
///
/// The lock of the notifier's state protects it, except for ``seen`` and ``touches``, which have locks of their own: a
/// follower that computes a difference would otherwise wait until the thread has examined the same commit.
final class FollowedScope: @unchecked Sendable {
  struct Request {
    let request: LiveRequest
    /// The request's place in the index, or `nil` if the present model cannot resolve it.
    var entry: LiveIndex.Entry?
  }

  let scope: RequestScope
  private(set) var requests: [FetchRequest: Request] = [:]
  private(set) var index = LiveIndex()
  /// The last commit that was examined: all changes up to it have been noted.
  let seen = Locked(Position.empty)
  /// The objects that the examined commits touched.
  private let touches = RecentTouches()
  /// The rows that were examined.
  private var stamp = ScopeStamp.stored

  init(_ scope: RequestScope) {
    self.scope = scope
  }

  /// Examines the commits after a position from now on.
  func begin(at position: Position, stamp: ScopeStamp = .stored) {
    self.stamp = stamp
    seen.withLock { $0 = position }
    touches.begin(at: position)
  }

  func wakeAll() {
    for followed in requests.values { followed.request.followers.wake() }
  }

  /// Starts to follow requests: all of them, or none.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if a request names what the model lacks.
  func follow(
    _ requests: [FetchRequest], _ wakeup: Wakeup, in reader: borrowing StoreReader, of keeper: ProjectionKeeper,
    _ schedule: TimeSchedule
  ) throws -> [LiveRequest] {
    var lives: [LiveRequest] = []
    do {
      for request in requests {
        let live =
          self.requests[request]?.request
          ?? LiveRequest(
            request, in: scope, keeper: keeper, from: seen.withLock { $0 }, seen: seen, touches: touches,
            schedule: schedule)
        if self.requests[request] == nil {
          let entry = try index.adding(live, in: reader.resolvedModel)
          self.requests[request] = Request(request: live, entry: entry)
        }
        live.followers.add(wakeup)
        lives.append(live)
      }
    } catch {
      for live in lives { _ = unfollow(live, wakeup) }
      throw error
    }
    return lives
  }

  /// - Returns: Whether the request has no more followers.
  func unfollow(_ live: LiveRequest, _ wakeup: Wakeup) -> Bool {
    live.followers.remove(wakeup)
    guard live.followers.isEmpty, let followed = requests[live.request], followed.request === live else { return false }
    requests[live.request] = nil
    live.forgetMoments()
    if let entry = followed.entry { index.remove(live, entry) }
    return true
  }

  /// Examines the new commits, and wakes the followers that they concern.
  ///
  /// - Returns: Whether the requests were resolved by another model.
  func examine(_ reader: borrowing StoreReader) throws -> Bool {
    let (start, end) = (seen.withLock { $0 }, reader.position)
    guard reader.stamp == stamp else {
      // Other rows took the place of the ones that were examined.
      begin(at: end, stamp: reader.stamp)
      makeIndex(in: reader.resolvedModel)
      for followed in requests.values { followed.request.followers.begin(at: end) }
      return true
    }
    guard end > start else { return false }
    let touched = try index.touched(since: start, in: reader)
    if let touched {
      for live in touched.requests { live.followers.note(from: start, to: end) }
      touches.note(touched.objects, through: end)
    } else {
      touches.begin(at: end)
      makeIndex(in: reader.resolvedModel)
      for followed in requests.values { followed.request.followers.note(from: start, to: end) }
    }
    seen.withLock { $0 = end }
    return touched == nil
  }

  private func makeIndex(in model: ResolvedModel) {
    index = LiveIndex()
    for (request, followed) in requests {
      // A request that the new model cannot resolve has no entry: its followers are woken and receive an error.
      requests[request]?.entry = try? index.adding(followed.request, in: model)
    }
  }
}
