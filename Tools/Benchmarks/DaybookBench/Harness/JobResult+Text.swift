extension JobResult {
  /// The table that people read.
  var text: String {
    (["\(name): \(summary)", table.text] + verdictLines).joined(separator: "\n")
  }

  private var table: TextTable {
    let columns = columns
    var table = TextTable(header: ["  one \(unit)"] + columns.map(\.title))
    for result in contestants { table.append(["  \(result.name)"] + columns.map { $0.cell(result) }) }
    return table
  }

  private typealias Column = (title: String, cell: (ContestantResult) -> String)

  /// The columns after the name; those in which every cell would be empty are left out.
  private var columns: [Column] {
    let reference = contestants[0]
    func compared(_ text: @escaping (Comparison) -> Double) -> (ContestantResult) -> String {
      { ratio(text(Comparison(of: $0, with: reference))) }
    }
    var columns: [Column] = [
      ("median", { duration(seconds: $0.secondsPerOperation.median) }),
      ("min", { duration(seconds: $0.secondsPerOperation.minimum) }),
      ("max", { duration(seconds: $0.secondsPerOperation.maximum) }),
      ("p50", { $0.latency.map { duration(seconds: $0.median) } ?? "" }),
      ("p99", { $0.latency.map { duration(seconds: $0.percentile99) } ?? "" }),
      ("bytes", { $0.bytesOnDiskPerOperation.map { grouped(Int($0)) } ?? "" }),
      ("events/s", { $0.eventsPerSecond.map { grouped(Int($0)) } ?? "" }),
    ]
    columns += Figure.allCases.map { figure in (figure.title, { $0.figures[figure].map(figure.valueText) ?? "" }) }
    columns.removeAll { column in contestants.allSatisfy { column.cell($0).isEmpty } }
    return columns + [
      ("times \(reference.name)", compared { $0.ratioOfMedians }), ("by rounds", compared { $0.rounds.median }),
      ("min", compared { $0.rounds.minimum }), ("max", compared { $0.rounds.maximum }),
    ]
  }

  private var verdictLines: [String] {
    verdicts.map { "  [\($0.outcome.text)] \($0.text)\($0.measuredText)" }
  }
}

extension Verdict {
  fileprivate var measuredText: String {
    guard let valueText else { return "" }
    return ": \(valueText)\(valueByRounds.map { ", by rounds \(ratio($0))" } ?? "")"
  }
}

extension Verdict.Outcome {
  var text: String {
    switch self {
    case .missed: "missed"
    case .met: "met"
    case .stretched: "met, stretch too"
    case .stretchMissed: "stretch missed"
    case .notMeasured: "not measured"
    }
  }
}
