/// How a target came out.
struct Verdict: Encodable {
  enum Outcome: String, Encodable {
    case missed, met, stretched
    /// A contestant that the target names did not run.
    case notMeasured
  }

  let text: String
  let bound: Double
  let stretch: Double?
  let value: Double?

  /// The median of the ratios taken round by round, where the target compares two contestants.
  let valueByRounds: Double?

  /// Whether the values are seconds.
  let isDuration: Bool

  let outcome: Outcome
}

extension Verdict {
  init(of target: Target, among results: [ContestantResult]) {
    let subject = results.first { $0.name == target.subject }
    let (value, valueByRounds) = subject.map { Self.values(of: target, subject: $0, among: results) } ?? (nil, nil)
    self.init(
      text: Self.text(of: target), bound: target.bound, stretch: target.stretch, value: value,
      valueByRounds: valueByRounds, isDuration: target.isDuration, outcome: Self.outcome(of: target, value: value))
  }

  private static func values(
    of target: Target, subject: ContestantResult, among results: [ContestantResult]
  ) -> (Double?, byRounds: Double?) {
    switch target.measure {
    case .timeComparedWith(let name):
      guard let other = results.first(where: { $0.name == name }) else { return (nil, nil) }
      let comparison = Comparison(of: subject, with: other)
      return (comparison.ratioOfMedians, comparison.rounds.median)
    case .speedComparedWith(let name):
      guard let other = results.first(where: { $0.name == name }) else { return (nil, nil) }
      let comparison = Comparison(of: other, with: subject)
      return (comparison.ratioOfMedians, comparison.rounds.median)
    case .eventsPerSecond:
      return (subject.eventsPerSecond, nil)
    case .journalBytesPerPayloadByte:
      return (subject.journalBytesPerPayloadByte, nil)
    case .secondsPerOperation:
      return (subject.latency?.median ?? subject.secondsPerOperation.median, nil)
    case .percentile99:
      return (subject.latency?.percentile99, nil)
    case .percentile99ComparedWith(let name):
      let other = results.first { $0.name == name }?.latency?.percentile99
      return (other.flatMap { other in subject.latency.map { $0.percentile99 / other } }, nil)
    case .heldBytesPerRow:
      return (subject.heldBytesPerRow, nil)
    }
  }

  private static func outcome(of target: Target, value: Double?) -> Outcome {
    guard let value else { return .notMeasured }
    guard target.isReached(by: value, bound: target.bound) else { return .missed }
    guard let stretch = target.stretch, target.isReached(by: value, bound: stretch) else { return .met }
    return .stretched
  }

  private static func text(of target: Target) -> String {
    switch target.measure {
    case .timeComparedWith(let name): "\(target.subject): at most \(ratio(target.bound)) times the time of \(name)"
    case .speedComparedWith(let name): "\(target.subject): at least \(ratio(target.bound)) times as fast as \(name)"
    case .eventsPerSecond: "\(target.subject): at least \(grouped(Int(target.bound))) events a second"
    case .journalBytesPerPayloadByte:
      "\(target.subject): a journal of at most \(ratio(target.bound)) times the payload"
    case .secondsPerOperation: "\(target.subject): at most \(duration(seconds: target.bound)) each"
    case .percentile99: "\(target.subject): at most \(duration(seconds: target.bound)) for 99 of 100"
    case .percentile99ComparedWith(let name):
      "\(target.subject): 99 of 100 within at most \(ratio(target.bound)) times the time of \(name)"
    case .heldBytesPerRow: "\(target.subject): at most \(ratio(target.bound)) bytes of memory for a row"
    }
  }
}
