import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Sets the gauges of the store in the metrics backend of the process (swift-metrics).
  ///
  ///     try store.reportMetrics()
  ///
  /// The store counts commits and events, and measures flushes, folds and the lag of feeds, as they occur. What has a
  /// present value is set by this call, which a program makes before its metrics are read: `daybook_readers` and
  /// `daybook_oldest_reader_seconds`, `daybook_map_used_bytes` and `daybook_map_size_bytes` of both environments,
  /// `daybook_file_bytes` of journal, projections and snapshots, and `daybook_projection_lag_commits` of each projection of
  /// users. A process that writes makes the call by itself, every ten seconds at most.
  ///
  /// The backend must be installed before the store is opened.
  ///
  /// - Throws: `StoreError`: `closed`, `inputOutput`, `damaged`.
  /// - Complexity: O(*n*) for *n* readers and projections; independent of the number of objects.
  public func reportMetrics() throws {
    let projections = try projections()
    do {
      try services.reportMetrics()
    } catch {
      throw StoreError.translating(error)
    }
    for projection in projections {
      files.metrics.set(
        "daybook_projection_lag_commits", Double(projection.lag), ("projection", projection.name))
    }
  }
}
