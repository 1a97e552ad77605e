extension RawSpan {
  /// The same bytes, without the compiler's watch over how long they are there.
  ///
  /// A span cannot be stored, nor leave the closure that it was made in, so one into a transaction's pages or an arena
  /// cannot outlive the transaction or the arena as long as these live in an outer scope. The compiler cannot see this
  /// through a reference to a class; whoever detaches a span sees to it that the row is not changed while it is used.
  package var detached: StoredBytes {
    withUnsafeBytes { StoredBytes(start: $0.baseAddress, count: $0.count) }
  }
}
