/// What a contestant did in one round.
struct Work {
  /// How often it did the job's unit of work. Contestants may differ: the table shows the time of one.
  var operations: Int

  /// How many events of a journal were read, where the job counts them: an object with a link takes two of Daybook's.
  var eventCount: Int?

  /// A sum over the answer, equal for all contestants of a round that give one. Each must do the same work to be compared.
  var digest: UInt64?

  /// The time to count, if it is not all that `run` took.
  var elapsed: Duration?

  /// The time of each operation as its caller saw it, where that is of interest.
  var latencies: [Duration] = []

  /// What was measured beside times, where the job asks for it.
  var figures: [Figure: Double] = [:]

  /// Counts the time of one operation, in a round that counts only such times.
  mutating func add(_ time: Duration) {
    elapsed = (elapsed ?? .zero) + time
    latencies.append(time)
  }
}
