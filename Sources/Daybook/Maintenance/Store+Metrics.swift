import DaybookModel
import DaybookRuntime

extension Store {
  /// Sets the gauges of the store in the metrics backend of the process, for one that is read at this moment.
  ///
  /// Without a call they are set every ten seconds.
  ///
  /// - Throws: `StoreError`: `closed`, `inputOutput`, `damaged`.
  /// - Complexity: O(*n*) for *n* readers and projections; independent of the number of objects.
  package func reportMetrics() throws {
    try checkOpen()
    do {
      try services.reportMetrics()
    } catch {
      throw StoreError.translating(error)
    }
  }
}
