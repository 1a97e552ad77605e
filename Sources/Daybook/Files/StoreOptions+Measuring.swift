extension StoreOptions {
  /// Calls a closure when the flush of a commit has ended, before the projections are committed.
  ///
  /// For benchmarks only: a follower can know of a commit from this moment on. The closure runs on the thread of the
  /// writer, which waits for it.
  @_spi(Measuring) public mutating func afterFlush(_ body: @escaping @Sendable () -> Void) {
    probe = { if $0 == .betweenCommits { body() } }
  }
}
