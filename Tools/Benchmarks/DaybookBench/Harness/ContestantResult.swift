/// What was measured of one contestant over all rounds.
struct ContestantResult: Codable {
  let name: String
  let role: Role

  /// The time of one operation in each counted round, in seconds.
  let rounds: [Double]

  let secondsPerOperation: Summary

  /// Over the single operations of all rounds, in seconds.
  let latency: Summary?

  let operationsPerRound: Int
  let bytesOnDiskPerOperation: Double?

  /// In the median round.
  let eventsPerSecond: Double?

  /// The median of each figure over the rounds.
  let figures: [Figure: Double]

  /// - Precondition: There is at least one sample.
  init(name: String, role: Role, samples: [Sample]) {
    precondition(!samples.isEmpty, "A result needs a round.")
    self.name = name
    self.role = role
    rounds = samples.map(\.secondsPerOperation)
    secondsPerOperation = Summary(rounds)
    let latencies = samples.flatMap { $0.work.latencies.map { $0.inSeconds } }
    latency = latencies.isEmpty ? nil : Summary(latencies)
    operationsPerRound = samples[0].work.operations
    bytesOnDiskPerOperation = samples[0].bytesOnDisk.map { Double($0) / Double(samples[0].work.operations) }
    let rates = samples.compactMap { sample in sample.work.eventCount.map { Double($0) / sample.elapsed.inSeconds } }
    eventsPerSecond = rates.isEmpty ? nil : Summary(rates).median
    var figures: [Figure: Double] = [:]
    for figure in Figure.allCases {
      let values = samples.compactMap { $0.work.figures[figure] }
      if !values.isEmpty { figures[figure] = Summary(values).median }
    }
    self.figures = figures
  }
}
