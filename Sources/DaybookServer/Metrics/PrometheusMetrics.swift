#if Server

import DaybookModel
import Metrics

/// A metrics backend that keeps all values in memory and prints them as Prometheus text (exposition format 0.0.4).
///
///     let metrics = PrometheusMetrics()
///     MetricsSystem.bootstrap(metrics)
///     let server = try DaybookServer(store: store, metrics: metrics)
///
/// Timers and aggregating recorders are histograms, timers in seconds; other recorders and meters are gauges. Names are
/// made of letters, digits and underscores; a counter ends in `_total`, a timer in `_seconds`. A metric with a name of
/// another kind is left out of the text. It is complete for what this process makes, not a client library of Prometheus.
public final class PrometheusMetrics: MetricsFactory {
  /// The values by name, kind and dimensions.
  private let families = Locked<[String: Family]>([:])

  private struct Family {
    let kind: PrometheusSample.Kind
    /// The values by their dimensions as text: `{method="GET"}`, or nothing.
    var samples: [String: PrometheusSample] = [:]
  }

  public init() {}

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    sample(PrometheusName.suffixed(label, "_total"), dimensions, .counter)
  }

  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    sample(PrometheusName.suffixed(label, "_total"), dimensions, .counter)
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    sample(PrometheusName.made(of: label), dimensions, .gauge)
  }

  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    sample(PrometheusName.made(of: label), dimensions, aggregate ? .histogram : .gauge)
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    sample(PrometheusName.suffixed(label, "_seconds"), dimensions, .histogram)
  }

  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

  /// Returns the value with a name and dimensions; several instruments may share one.
  private func sample(
    _ name: String, _ dimensions: [(String, String)], _ kind: PrometheusSample.Kind
  ) -> PrometheusSample {
    let labels = PrometheusName.labels(dimensions)
    return families.withLock { families in
      let family = families[name] ?? Family(kind: kind)
      guard family.kind == kind else { return PrometheusSample(name, labels, kind) }
      let sample = family.samples[labels] ?? PrometheusSample(name, labels, kind)
      families[name] = family
      families[name]?.samples[labels] = sample
      return sample
    }
  }

  private func remove(_ handler: Any) {
    guard let sample = handler as? PrometheusSample else { return }
    families.withLock { $0[sample.name]?.samples[sample.labels] = nil }
  }

  /// All values as text.
  ///
  /// - Complexity: O(*n* log *n*) for *n* values.
  public var text: String {
    var lines: [String] = []
    for (name, family) in families.withLock({ $0.sorted { $0.key < $1.key } }) where !family.samples.isEmpty {
      lines.append("# HELP \(name) \(MetricHelp.text(of: name))")
      lines.append("# TYPE \(name) \(family.kind.rawValue)")
      for (_, sample) in family.samples.sorted(by: { $0.key < $1.key }) { sample.append(to: &lines) }
    }
    return lines.map { "\($0)\n" }.joined()
  }
}

#endif
