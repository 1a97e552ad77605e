/// How a target came out.
struct Verdict: Codable {
  enum Outcome: String, Codable {
    case missed, met, stretched
    /// Only a stretch is named, and it is not reached.
    case stretchMissed
    /// A contestant that the target names did not run, or the system does not provide what is asked for.
    case notMeasured
  }

  let text: String
  let bound: Double?
  let stretch: Double?
  let value: Double?

  /// The value in its unit.
  let valueText: String?

  /// The median of the ratios taken round by round, where the target compares the times of two contestants.
  let valueByRounds: Double?

  let outcome: Outcome
}

extension Verdict {
  init(of target: Target, among results: [ContestantResult]) {
    let subject = results.first { $0.name == target.subject }
    let (value, valueByRounds) = subject.map { Self.values(of: target, subject: $0, among: results) } ?? (nil, nil)
    self.init(
      text: target.text, bound: target.bound, stretch: target.stretch, value: value,
      valueText: value.map(target.valueText), valueByRounds: valueByRounds,
      outcome: Self.outcome(of: target, value: value))
  }

  private static func values(
    of target: Target, subject: ContestantResult, among results: [ContestantResult]
  ) -> (Double?, byRounds: Double?) {
    func named(_ name: String) -> ContestantResult? { results.first { $0.name == name } }
    switch target.measure {
    case .timeComparedWith(let name):
      guard let other = named(name) else { return (nil, nil) }
      let comparison = Comparison(of: subject, with: other)
      return (comparison.ratioOfMedians, comparison.rounds.median)
    case .speedComparedWith(let name):
      guard let other = named(name) else { return (nil, nil) }
      let comparison = Comparison(of: other, with: subject)
      return (comparison.ratioOfMedians, comparison.rounds.median)
    case .latency(let quantile, let name, let third):
      guard let other = named(name), let time = subject.latency?[quantile] else { return (nil, nil) }
      guard let third else { return (time / other.secondsPerOperation.median, nil) }
      guard let allowed = named(third)?.latency?[quantile] else { return (nil, nil) }
      return (max(0, time - allowed) / other.secondsPerOperation.median, nil)
    case .eventsPerSecond:
      return (subject.eventsPerSecond, nil)
    case .percentile99:
      return (subject.latency?.percentile99, nil)
    case .figure(let figure):
      return (subject.figures[figure], nil)
    case .figureComparedWith(let figure, let name):
      guard let value = subject.figures[figure], let other = named(name)?.figures[figure] else { return (nil, nil) }
      return (value / max(other, 1), nil)
    }
  }

  private static func outcome(of target: Target, value: Double?) -> Outcome {
    guard let value else { return .notMeasured }
    let isStretched = target.stretch.map { target.isReached(by: value, bound: $0) } ?? false
    guard let bound = target.bound else { return isStretched ? .stretched : .stretchMissed }
    guard target.isReached(by: value, bound: bound) else { return .missed }
    return isStretched ? .stretched : .met
  }
}

extension Summary {
  fileprivate subscript(_ quantile: Target.Quantile) -> Double {
    quantile == .median ? median : percentile99
  }
}
