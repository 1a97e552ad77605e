import Daybook

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
