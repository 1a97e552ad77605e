extension RawSpan {
  /// The same bytes, without the compiler's lifetime checks.
  ///
  /// A span cannot be stored, nor leave the closure that created it, so a span into a transaction's pages or an arena
  /// cannot outlive the transaction or the arena if these live in an outer scope. The compiler cannot see this through
  /// a reference to a class; the caller that detaches a span must not change the row while the span is in use.
  package var detached: UnsafeBytes {
    withUnsafeBytes { UnsafeBytes(start: $0.baseAddress, count: $0.count) }
  }
}
