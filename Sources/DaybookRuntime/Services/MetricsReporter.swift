import CoreMetrics

/// Sets the gauges of an open store from time to time, on a thread of its own.
///
/// A process without a metrics backend has no such thread.
final class MetricsReporter: Sendable {
  private let worker = Worker("daybook metrics", quality: .utility)
  private static let interval = Duration.seconds(10)

  /// Starts the thread if the process has installed a metrics backend.
  ///
  /// - Parameter report: Sets the gauges. One that cannot be read is set the next time.
  func start(_ report: @escaping @Sendable () throws -> Void) {
    guard !(MetricsSystem.factory is NOOPMetricsHandler) else { return }
    worker.start { [worker] in
      while !worker.isClosed {
        worker.wakeup.reset()
        try? report()
        _ = worker.wakeup.block(atMost: MetricsReporter.interval)
      }
      return false
    }
  }

  /// Ends the thread.
  func close() { worker.close() }
}
