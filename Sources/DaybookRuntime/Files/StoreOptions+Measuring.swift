/// The moments of a commit that benchmarks measure.
@_spi(Measuring) public enum MeasuredMoment: Sendable {
  /// The flush has ended: the commit is in the journal, and the projections are not committed.
  case flushed
  /// The commit is in the journal and its difference for a live request is known: a follower that asks gets it at once.
  ///
  /// It comes only for differences that are computed during the flush.
  case differenceReady
}

extension StoreOptions {
  /// Calls a closure at the moments of each commit that benchmarks measure.
  ///
  /// The closure runs on the thread that reached the moment, which waits for it: the writer's, or the one that computes
  /// differences.
  @_spi(Measuring) public mutating func measure(_ body: @escaping @Sendable (MeasuredMoment) -> Void) {
    momentProbe = body
  }
}
