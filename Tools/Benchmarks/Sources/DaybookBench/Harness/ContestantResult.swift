/// What was measured of one contestant over all rounds.
struct ContestantResult: Encodable {
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
  let journalBytesPerPayloadByte: Double?

  /// In the median round.
  let heldBytesPerRow: Double?

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
    journalBytesPerPayloadByte = samples[0].work.journalBytesPerPayloadByte
    let held = samples.compactMap(\.work.heldBytesPerRow)
    heldBytesPerRow = held.isEmpty ? nil : Summary(held).median
  }
}
