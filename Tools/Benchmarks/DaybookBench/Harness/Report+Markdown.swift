extension [Report] {
  /// The results of several runs as Markdown: the targets, and the times from which they were computed.
  ///
  /// A run may have measured one job only; the jobs of all runs are in one table.
  var markdown: String {
    let runs = Set(map(\.runText)).sorted().joined(separator: "\n")
    let jobs = flatMap { report in report.jobs.map { (job: $0, rows: report.settings.rows) } }
    let targets = jobs.flatMap { entry in
      entry.job.verdicts.map { verdict in
        [
          "`\(entry.job.name)`", grouped(entry.rows), verdict.text, verdict.valueText ?? "",
          verdict.valueByRounds.map(ratio) ?? "", verdict.outcome.text,
        ]
      }
    }
    let times = jobs.flatMap { entry in
      entry.job.contestants.map { result in
        let comparison = Comparison(of: result, with: entry.job.contestants[0])
        return [
          "`\(entry.job.name)`", grouped(entry.rows), result.name, duration(seconds: result.secondsPerOperation.median),
          result.latency.map { duration(seconds: $0.median) } ?? "",
          result.latency.map { duration(seconds: $0.percentile99) } ?? "", ratio(comparison.ratioOfMedians),
        ]
      }
    }
    return [
      runs,
      markdownTable(["job", "objects", "target", "measured", "by rounds", "outcome"], targets),
      markdownTable(["job", "objects", "contestant", "one operation", "p50", "p99", "times the first"], times),
    ].joined(separator: "\n\n")
  }
}

extension Report {
  /// What the numbers depend on: the machine, and the size of the run.
  fileprivate var runText: String {
    "\(machine.text)\n\(settings.rounds) rounds, timestamps \(settings.timestamps.rawValue)"
  }
}

private func markdownTable(_ header: [String], _ rows: [[String]]) -> String {
  ([header, header.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
}
