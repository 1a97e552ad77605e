@_spi(Measuring) import Daybook
import Synchronization

/// The moment at which the last flush of a commit ended, the first at which a follower can know of the commit, and the one at
/// which its difference was ready, if it was computed during the flush.
final class FlushClock: Sendable {
  private struct Moments {
    var flushed: ContinuousClock.Instant
    var ready: ContinuousClock.Instant?
  }

  private let clock = ContinuousClock()
  private let moments: Mutex<Moments>

  init() {
    moments = Mutex(Moments(flushed: clock.now))
  }

  /// The default options, with which a store notes the moments of each commit here.
  var options: StoreOptions {
    var options = StoreOptions()
    options.measure { [self] moment in
      let now = clock.now
      moments.withLock { moments in
        switch moment {
        case .flushed: moments = Moments(flushed: now)
        case .differenceReady: moments.ready = now
        }
      }
    }
    return options
  }

  /// The time since the end of the last flush.
  var elapsed: Duration { clock.now - moments.withLock { $0.flushed } }

  /// The time from the end of the last flush until its difference was ready, or until now if it was not computed during
  /// the flush.
  var timeUntilReady: Duration {
    let moments = moments.withLock { $0 }
    return (moments.ready ?? clock.now) - moments.flushed
  }
}
