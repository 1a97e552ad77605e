import DaybookModel

/// A clock that stands still until it is set.
///
///     let clock = FixedClock()
///     options.clock = clock.read
public final class FixedClock: Sendable {
  private let time: Locked<Int64>

  public init(_ time: Timestamp = Timestamp(microseconds: 1_000_000_000_000_000)) {
    self.time = Locked(time.microseconds)
  }

  /// Where the clock stands; may be set back.
  public var now: Timestamp {
    get { Timestamp(microseconds: time.withLock { $0 }) }
    set { time.withLock { $0 = newValue.microseconds } }
  }

  /// What a store's options take.
  public var read: @Sendable () -> Timestamp { { self.now } }

  public func advance(byMicroseconds microseconds: Int64) {
    time.withLock { $0 += microseconds }
  }
}
