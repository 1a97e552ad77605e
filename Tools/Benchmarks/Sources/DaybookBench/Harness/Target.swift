/// What the subject of a job has to reach.
struct Target {
  enum Measure {
    /// Its time is at most the bound times the time of another contestant.
    case timeComparedWith(String)
    /// It does at least the bound times as much in the same time as another contestant.
    case speedComparedWith(String)
    /// It does at least the bound of events a second.
    case eventsPerSecond
    /// Its journal occupies at most the bound times the payload.
    case journalBytesPerPayloadByte
    /// Half of its operations take at most the bound in seconds; where there are no latencies, the median round's mean.
    case secondsPerOperation
    /// Of a hundred operations 99 take at most the bound in seconds.
    case percentile99
    /// Its 99th percentile is at most the bound times the percentile of another contestant.
    case percentile99ComparedWith(String)
    /// It holds at most the bound of bytes in memory for each row.
    case heldBytesPerRow
  }

  /// The name of the contestant that is judged.
  var subject = "Daybook"

  let measure: Measure
  let bound: Double

  /// What would be better still.
  var stretch: Double?

  /// Whether what is measured is a time in seconds.
  var isDuration: Bool {
    switch measure {
    case .secondsPerOperation, .percentile99: true
    default: false
    }
  }

  /// Whether a measured value reaches a bound of this target.
  func isReached(by value: Double, bound: Double) -> Bool {
    switch measure {
    case .timeComparedWith, .secondsPerOperation, .journalBytesPerPayloadByte, .percentile99,
      .percentile99ComparedWith, .heldBytesPerRow:
      value <= bound
    case .speedComparedWith, .eventsPerSecond: value >= bound
    }
  }
}
