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

  /// The time of the clock; may be set to an earlier time.
  public var now: Timestamp {
    get { Timestamp(microseconds: time.withLock { $0 }) }
    set { time.withLock { $0 = newValue.microseconds } }
  }

  /// The function for a store's options.
  public var read: @Sendable () -> Timestamp { { self.now } }

  public func advance(byMicroseconds microseconds: Int64) {
    time.withLock { $0 += microseconds }
  }
}
