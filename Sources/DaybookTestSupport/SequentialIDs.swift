import Daybook
import DaybookModel

/// Makes identities count up: together with a ``FixedClock`` a test gets the same ones each time.
///
///     var options = StoreOptions()
///     options.clock = FixedClock().read
///     options.randomBits = SequentialIDs().read
///
/// The low bits of the store's own identity are 1, those of the first object that it makes are 2, and so on.
public final class SequentialIDs: Sendable {
  private let calls = Locked<UInt64>(0)

  public init() {}

  /// What a store's options take.
  public var read: @Sendable () -> UInt64 {
    {
      self.calls.withLock { calls in
        calls += 1
        // An identity takes two numbers: of the first its twelve bits behind the time, of the second all but two.
        return calls.isMultiple(of: 2) ? (calls / 2) << 2 : 0
      }
    }
  }
}

extension StoreOptions {
  /// Options with which a store does the same each time that it is made to.
  ///
  ///     try withTemporaryStore(model, options: .repeatable()) { store in ... }
  ///
  /// - Parameters:
  ///   - clock: Says what time it is.
  ///   - ids: Makes identities.
  public static func repeatable(
    clock: FixedClock = FixedClock(), ids: SequentialIDs = SequentialIDs()
  ) -> StoreOptions {
    var options = StoreOptions()
    options.clock = clock.read
    options.randomBits = ids.read
    return options
  }
}
