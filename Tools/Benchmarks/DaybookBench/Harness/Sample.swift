/// One contestant's work in one round and the time it took.
struct Sample {
  let work: Work
  let elapsed: Duration

  /// What lies in the round's directory after the work, where the job asks for it.
  let bytesOnDisk: Int?

  var secondsPerOperation: Double { elapsed.inSeconds / Double(work.operations) }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
