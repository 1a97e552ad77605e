/// A piece of work, the contestants that do it, and what is asked of the subject.
struct Job {
  /// What `--only` takes.
  let name: String

  let summary: String

  /// What one operation is: "object", "commit".
  let unit: String

  /// Rounds that are run and not counted, where a cold start is not what the job is about.
  var warmUpRounds = 0

  /// Whether the table states what a round leaves on disk.
  var measuresDisk = false

  /// In the order of a round. The first is what the others are compared with in the table.
  var contestants: [any Contestant]

  var targets: [Target] = []
}

extension Job {
  /// The job with only these contestants, or with all if none is named; nil if it has none of them.
  func with(_ names: [String]) -> Job? {
    guard !names.isEmpty else { return self }
    var job = self
    job.contestants.removeAll { !names.contains($0.name) }
    return job.contestants.isEmpty ? nil : job
  }
}
