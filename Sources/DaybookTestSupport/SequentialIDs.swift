import DaybookModel

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
