import Foundation

/// Runs a job: each round runs every contestant once, in turn, so that a change of the machine's load meets all of them.
struct Runner {
  let rounds: Int
  let scratch: ScratchDirectory

  /// Called with what is about to run.
  let progress: (String) -> Void

  func run(_ job: Job) async throws -> JobResult {
    var samples: [[Sample]] = job.contestants.map { _ in [] }
    do {
      for contestant in job.contestants {
        progress("\(job.name): preparing \(contestant.name)")
        try await contestant.prepare(in: scratch.makeDirectory())
      }
      for round in -job.warmUpRounds..<rounds {
        let roundSamples = try await runRound(round, of: job)
        guard round >= 0 else { continue }
        for (index, sample) in roundSamples.enumerated() { samples[index].append(sample) }
      }
    } catch {
      // The first error is the one to report; what cannot be cleaned up goes with the scratch directory.
      for contestant in job.contestants { try? await contestant.cleanUp() }
      throw error
    }
    for contestant in job.contestants { try await contestant.cleanUp() }
    try scratch.empty()
    let results = zip(job.contestants, samples).map {
      ContestantResult(name: $0.name, role: $0.role, samples: $1)
    }
    return JobResult(of: job, contestants: results)
  }

  private func runRound(_ round: Int, of job: Job) async throws -> [Sample] {
    var samples: [Sample] = []
    for contestant in job.contestants {
      progress("\(job.name): round \(round + 1) of \(rounds), \(contestant.name)")
      samples.append(try await runOnce(contestant, round: round, measuresDisk: job.measuresDisk))
    }
    try checkDigests(of: samples, in: job)
    return samples
  }

  private func runOnce(_ contestant: any Contestant, round: Int, measuresDisk: Bool) async throws -> Sample {
    let directory = try scratch.makeDirectory()
    try await contestant.beginRound(round, in: directory)
    // What one contestant left unwritten would be written in the next one's time.
    sync()
    let clock = ContinuousClock()
    let start = clock.now
    let work = try await contestant.run(round: round)
    let elapsed = clock.now - start
    let size = measuresDisk ? try bytesOnDisk(below: directory) : nil
    try await contestant.endRound(round)
    try FileManager.default.removeItem(at: directory)
    return Sample(work: work, elapsed: work.elapsed ?? elapsed, bytesOnDisk: size)
  }

  private func checkDigests(of samples: [Sample], in job: Job) throws {
    let digests = zip(job.contestants, samples).compactMap { contestant, sample in
      sample.work.digest.map { (contestant.name, $0) }
    }
    guard let first = digests.first else { return }
    for digest in digests where digest.1 != first.1 {
      throw BenchmarkError.digestsDiffer(job: job.name, contestant: digest.0, from: first.0)
    }
  }
}
