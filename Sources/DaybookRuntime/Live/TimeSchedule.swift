import DaybookModel

/// What is woken when a moment has come.
protocol TimeFollower: AnyObject, Sendable {
  /// Whether it wakes nothing.
  var isEmpty: Bool { get }
  func wake()
}

extension Followers: TimeFollower {}

extension Wakeup: TimeFollower {
  var isEmpty: Bool { false }
  func wake() { signal() }
}

/// The next moment of each followed request at which the time alone may change its rows.
///
/// The thread of the notifier sleeps until the first of them. A request has no moment from the time when its followers are
/// woken until one of them has moved its rows.
final class TimeSchedule: Sendable {
  private let moments = Locked<[ObjectIdentifier: (moment: Timestamp, followers: any TimeFollower)]>([:])
  /// Wakes the thread that sleeps until the first moment.
  private let wakeThread: @Sendable () -> Void

  init(wakeThread: @escaping @Sendable () -> Void) { self.wakeThread = wakeThread }

  /// Sets the next moment of a request; `nil` if the time never changes its rows.
  func set(_ moment: Timestamp?, for followers: any TimeFollower) {
    let isFirst = moments.withLock { moments in
      let key = ObjectIdentifier(followers)
      guard let moment, !followers.isEmpty else {
        moments[key] = nil
        return false
      }
      if moments[key]?.moment == moment { return false }
      moments[key] = (moment, followers)
      return moments.values.allSatisfy { $0.moment >= moment }
    }
    if isFirst { wakeThread() }
  }

  /// Wakes the followers of the requests whose moment has come.
  ///
  /// - Returns: The first later moment.
  /// - Complexity: O(*r*) for *r* followed requests that read the time.
  func wakeDue(at now: Timestamp) -> Timestamp? {
    let (due, next) = moments.withLock { moments in
      let due = moments.filter { $0.value.moment <= now }
      for key in due.keys { moments[key] = nil }
      return (due.values.map(\.followers), moments.values.lazy.map(\.moment).min())
    }
    for followers in due { followers.wake() }
    return next
  }
}
