#if Server

import DaybookModel
import Metrics

/// One value of a metric, or one histogram.
final class PrometheusSample: Sendable {
  enum Kind: String {
    case counter, gauge, histogram
  }

  let name: String
  /// The dimensions in braces; may be empty.
  let labels: String
  private let kind: Kind
  private let state = Locked(State())

  private struct State {
    /// The value; of a histogram the sum.
    var value = 0.0
    /// The numbers of recorded values up to each bound, and of all.
    var counts = [Int](repeating: 0, count: PrometheusSample.bounds.count)
    var count = 0
  }

  /// The upper bounds of a histogram's buckets: from a fraction of a commit to a slow rebuild, in seconds.
  private static let bounds = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10,
  ]

  init(_ name: String, _ labels: String, _ kind: Kind) {
    (self.name, self.labels, self.kind) = (name, labels, kind)
  }

  private func add(_ amount: Double) {
    state.withLock { $0.value += amount }
  }

  private func observe(_ value: Double) {
    state.withLock { state in
      guard kind == .histogram else {
        state.value = value
        return
      }
      state.value += value
      state.count += 1
      for (index, bound) in PrometheusSample.bounds.enumerated() where value <= bound { state.counts[index] += 1 }
    }
  }

  /// Adds the lines of the value.
  func append(to lines: inout [String]) {
    let state = state.withLock { $0 }
    guard kind == .histogram else { return lines.append("\(name)\(labels) \(state.value)") }
    let inner = labels.isEmpty ? "" : labels.dropFirst().dropLast() + ","
    for (bound, count) in zip(PrometheusSample.bounds, state.counts) {
      lines.append("\(name)_bucket{\(inner)le=\"\(bound)\"} \(count)")
    }
    lines.append("\(name)_bucket{\(inner)le=\"+Inf\"} \(state.count)")
    lines.append("\(name)_sum\(labels) \(state.value)")
    lines.append("\(name)_count\(labels) \(state.count)")
  }
}

extension PrometheusSample: CounterHandler, FloatingPointCounterHandler {
  func increment(by amount: Int64) { add(Double(amount)) }
  func reset() { state.withLock { $0 = State() } }
}

extension PrometheusSample: MeterHandler {
  func set(_ value: Int64) { state.withLock { $0.value = Double(value) } }
  func set(_ value: Double) { state.withLock { $0.value = value } }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
}

extension PrometheusSample: RecorderHandler, TimerHandler {
  func record(_ value: Int64) { observe(Double(value)) }
  func record(_ value: Double) { observe(value) }
  func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
}

#endif
