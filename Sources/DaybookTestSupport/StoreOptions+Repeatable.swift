import Daybook
import DaybookModel

extension StoreOptions {
  /// Returns options with which a store behaves the same in each run.
  ///
  ///     try withTemporaryStore(model, options: .repeatable()) { store in ... }
  ///
  /// - Parameters:
  ///   - clock: The clock of the store.
  ///   - ids: The source of identities.
  public static func repeatable(
    clock: FixedClock = FixedClock(), ids: SequentialIDs = SequentialIDs()
  ) -> StoreOptions {
    var options = StoreOptions()
    options.clock = clock.read
    options.randomBits = ids.read
    return options
  }
}

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

/// Makes identities count up: with a ``FixedClock``, each run of a test gets the same ones.
///
///     var options = StoreOptions()
///     options.clock = FixedClock().read
///     options.randomBits = SequentialIDs().read
///
/// The low bits of the store's own identity are 1, the first object's are 2, and so on.
public final class SequentialIDs: Sendable {
  private let calls = Locked<UInt64>(0)

  public init() {}

  /// The function for a store's options.
  public var read: @Sendable () -> UInt64 {
    {
      self.calls.withLock { calls in
        calls += 1
        // An identity uses two numbers: twelve bits of the first after the time, all but two bits of the second.
        return calls.isMultiple(of: 2) ? (calls / 2) << 2 : 0
      }
    }
  }
}
