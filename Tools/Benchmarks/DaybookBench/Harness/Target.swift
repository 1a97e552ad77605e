/// What the subject of a job has to reach, in proportion to other contestants of the same run.
struct Target {
  /// A part of the operations, by their times.
  enum Quantile: String {
    case median = "p50"
    case percentile99 = "p99"
  }

  enum Measure {
    /// Its time is at most the bound times the time of another contestant.
    case timeComparedWith(String)
    /// It does at least the bound times as much in the same time as another contestant.
    case speedComparedWith(String)
    /// The time of half or of 99 of 100 of its operations, less the same part of a third contestant's where one is
    /// named, is at most the bound times the mean operation of another contestant.
    case latency(Quantile, comparedWith: String, beyond: String? = nil)
    /// It does at least the bound of events a second.
    case eventsPerSecond
    /// Of a hundred operations 99 take at most the bound in seconds.
    case percentile99
    /// A figure is at most the bound.
    case figure(Figure)
    /// A figure is at most the bound times the figure of another contestant.
    case figureComparedWith(Figure, String)
  }

  /// The name of the contestant that is judged.
  var subject = "Daybook"

  let measure: Measure

  /// What has to be reached, or `nil` if only the stretch is named.
  let bound: Double?

  /// What would be better still.
  var stretch: Double?

  init(subject: String = "Daybook", measure: Measure, bound: Double?, stretch: Double? = nil) {
    precondition(bound != nil || stretch != nil, "A target names a bound or a stretch.")
    (self.subject, self.measure, self.bound, self.stretch) = (subject, measure, bound, stretch)
  }

  /// Whether a measured value reaches a bound of this target.
  func isReached(by value: Double, bound: Double) -> Bool {
    switch measure {
    case .timeComparedWith, .latency, .percentile99, .figure, .figureComparedWith: value <= bound
    case .speedComparedWith, .eventsPerSecond: value >= bound
    }
  }

  /// What is asked for, in words.
  var text: String {
    switch (bound, stretch) {
    case (let bound?, let stretch?): "\(subject): \(text(bound)), stretch \(valueText(stretch))"
    case (nil, let stretch?): "\(subject): \(text(stretch)), which is a stretch"
    case (let bound?, nil): "\(subject): \(text(bound))"
    case (nil, nil): subject
    }
  }

  private func text(_ bound: Double) -> String {
    switch measure {
    case .timeComparedWith(let name): "at most \(ratio(bound)) times the time of \(name)"
    case .speedComparedWith(let name): "at least \(ratio(bound)) times as fast as \(name)"
    case .latency(let quantile, let name, nil): "\(quantile.rawValue) at most \(ratio(bound)) times \(name)"
    case .latency(let quantile, let name, let other?):
      "\(quantile.rawValue) at most \(ratio(bound)) times \(name), beyond the \(quantile.rawValue) of \(other)"
    case .eventsPerSecond: "at least \(grouped(Int(bound))) events a second"
    case .percentile99: "at most \(duration(seconds: bound)) for 99 of 100"
    case .figure(let figure): "at most \(figure.text(bound))"
    case .figureComparedWith(let figure, let name): "\(figure.title) at most \(ratio(bound)) times that of \(name)"
    }
  }

  /// A value of the measure, in its unit.
  func valueText(_ value: Double) -> String {
    switch measure {
    case .timeComparedWith, .speedComparedWith, .latency, .figureComparedWith: ratio(value)
    case .eventsPerSecond: grouped(Int(value))
    case .percentile99: duration(seconds: value)
    case .figure(let figure): figure.valueText(value)
    }
  }
}
