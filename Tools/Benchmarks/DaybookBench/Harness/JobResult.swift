/// What was measured of one job.
struct JobResult: Codable {
  let name: String
  let summary: String
  let unit: String
  let contestants: [ContestantResult]

  /// Each contestant compared with each other one.
  let comparisons: [Comparison]

  let verdicts: [Verdict]

  init(of job: Job, contestants: [ContestantResult]) {
    name = job.name
    summary = job.summary
    unit = job.unit
    self.contestants = contestants
    comparisons = contestants.flatMap { result in
      contestants.filter { $0.name != result.name }.map { Comparison(of: result, with: $0) }
    }
    verdicts = job.targets.map { Verdict(of: $0, among: contestants) }
  }
}
