import DaybookModel
import Tracing

extension CommitMetadata {
  /// The keys of the W3C's trace context that are recorded; a trace state means nothing without its parent.
  private static let traceKeys = ["traceparent", "tracestate"]

  /// Returns these entries with the trace context of the task, as the installed instrument injects it.
  ///
  /// Entries that exist win. A part of the context for which there is no room is left out, and so is what follows it.
  ///
  /// Without an instrument, or outside of a traced task, nothing is added.
  func addingTraceContext() -> CommitMetadata {
    guard let context = ServiceContext.current else { return self }
    var carrier: [String: String] = [:]
    InstrumentationSystem.instrument.inject(context, into: &carrier, using: TraceInjector())
    var result = self
    for key in CommitMetadata.traceKeys {
      guard let value = carrier[key] else { break }
      // Not compared with `nil`, which would be the null value.
      if result.entries.contains(where: { equalBytes($0.key, key) }) { continue }
      var larger = result
      larger[key] = .string(value)
      // A fault of the entries themselves is reported when they are written; here it only means that nothing is added.
      guard (try? larger.checkedBytes()) != nil else { break }
      result = larger
    }
    return result
  }
}

/// Collects what an instrument injects.
private struct TraceInjector: Injector {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
    carrier[key.lowercased()] = value
  }
}
