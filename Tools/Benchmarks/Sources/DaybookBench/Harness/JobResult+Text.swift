extension JobResult {
  /// The table that people read.
  var text: String {
    (["\(name): \(summary)", table.text] + verdictLines).joined(separator: "\n")
  }

  private var table: TextTable {
    let reference = contestants[0]
    let hasLatencies = contestants.contains { $0.latency != nil }
    let hasSizes = contestants.contains { $0.bytesOnDiskPerOperation != nil }
    var table = TextTable(
      header: ["  one \(unit)", "median", "min", "max"] + (hasLatencies ? ["p50", "p99"] : [])
        + (hasSizes ? ["bytes"] : []) + ["times \(reference.name)", "by rounds", "min", "max"])
    for result in contestants {
      let times = result.secondsPerOperation
      let comparison = Comparison(of: result, with: reference)
      table.append(
        ["  \(result.name)"] + [times.median, times.minimum, times.maximum].map(duration(seconds:))
          + (hasLatencies ? latencyCells(of: result) : [])
          + (hasSizes ? [result.bytesOnDiskPerOperation.map { grouped(Int($0)) } ?? ""] : [])
          + [
            ratio(comparison.ratioOfMedians), ratio(comparison.rounds.median), ratio(comparison.rounds.minimum),
            ratio(comparison.rounds.maximum),
          ])
    }
    return table
  }

  private func latencyCells(of result: ContestantResult) -> [String] {
    guard let latency = result.latency else { return ["", ""] }
    return [duration(seconds: latency.median), duration(seconds: latency.percentile99)]
  }

  private var verdictLines: [String] {
    verdicts.map { verdict in
      "  [\(verdict.outcome.text)] \(verdict.text)\(verdict.measuredText)"
    }
  }
}

extension Verdict {
  fileprivate var measuredText: String {
    guard let value else { return "" }
    let rounds = valueByRounds.map { ", by rounds \(ratio($0))" } ?? ""
    return ": \(isDuration ? duration(seconds: value) : value >= 1000 ? grouped(Int(value)) : ratio(value))\(rounds)"
  }
}

extension Verdict.Outcome {
  fileprivate var text: String {
    switch self {
    case .missed: "missed"
    case .met: "met"
    case .stretched: "met, stretch too"
    case .notMeasured: "not measured"
    }
  }
}
