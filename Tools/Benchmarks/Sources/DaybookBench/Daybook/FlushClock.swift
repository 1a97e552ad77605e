@_spi(Measuring) import Daybook
import Synchronization

/// The moment at which the last flush of a commit ended: the first at which a follower can know of the commit.
final class FlushClock: Sendable {
  private let clock = ContinuousClock()
  private let ended: Mutex<ContinuousClock.Instant>

  init() {
    ended = Mutex(clock.now)
  }

  /// The default options, with which a store notes the end of each flush here.
  var options: StoreOptions {
    var options = StoreOptions()
    options.afterFlush { [self] in ended.withLock { $0 = clock.now } }
    return options
  }

  /// The time since the end of the last flush.
  var elapsed: Duration { clock.now - ended.withLock { $0 } }
}
