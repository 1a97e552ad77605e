import Tracing

/// The names of the spans in which a store's long operations run (swift-distributed-tracing).
package enum SpanName {
  /// One commit, from the wait for the write lock to the flush.
  package static let write = "daybook.write"
  /// Many commits with one flush.
  package static let batch = "daybook.batch"
  package static let rebuild = "daybook.rebuild"
  package static let verify = "daybook.verify"
  package static let copy = "daybook.copy"
}

/// Runs an operation in a span.
///
/// A process without an instrument, which is the default, spends no time on spans: looking for a tracer and lending a context
/// take some microseconds, a part of a write that shows where a flush costs little.
@inlinable
package func withStoreSpan<Result>(
  _ name: String, function: String = #function, file: String = #fileID, line: UInt = #line,
  _ operation: () throws -> Result
) rethrows -> Result {
  if InstrumentationSystem.instrument is NoOpInstrument { return try operation() }
  return try withSpan(name, function: function, file: file, line: line) { _ in try operation() }
}
