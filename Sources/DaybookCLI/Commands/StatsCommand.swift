#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show the figures of a store.",
    discussion: """
      The hash is that of the head, and stands for all commits: kept elsewhere, `verify --expect` takes it back. The \
      state hash is that of the objects, however they came to be.
      """)

  @OptionGroup var arguments: StoreArguments
  @OptionGroup var output: JSONOption

  func run() throws {
    let statistics = try arguments.withStore { try $0.statistics() }
    if output.json { return try Console.standard.print(statistics.json) }
    var table = TextTable(["", ""])
    for row in StatsCommand.rows(statistics) { table.add([row.title, row.text]) }
    try table.print(to: .standard)
  }

  private static func rows(_ statistics: Statistics) -> [(title: String, text: String)] {
    var rows = [
      ("head", "\(statistics.head)"), ("hash", "\(statistics.hash)"), ("state hash", "\(statistics.stateHash)"),
      ("events", ProgressBar.grouped(UInt64(statistics.events))),
    ]
    let total = statistics.objects.reduce(0) { $0 + $1.count }
    rows.append(("objects", ProgressBar.grouped(UInt64(total))))
    for entity in statistics.objects { rows.append(("  \(entity.entity)", ProgressBar.grouped(UInt64(entity.count)))) }
    rows.append(("large values", text(statistics.largeValues)))
    rows.append(("journal", text(statistics.journal)))
    rows.append(("projections", text(statistics.projections)))
    for projection in statistics.projectionFigures {
      let lag = projection.lag == 0 ? "up to date" : "\(projection.lag) behind"
      rows.append(("  \(projection.name)", "at \(projection.checkpoint), \(lag)"))
    }
    for snapshot in statistics.snapshots {
      rows.append(("snapshot", "at \(snapshot.position), \(text(snapshot.sizeInBytes))"))
    }
    for status in statistics.userProjections {
      rows.append(("  \(status.name)", "at \(status.checkpoint), \(status.text)"))
    }
    let lag = statistics.readers == 0 ? "" : ", the oldest \(statistics.oldestReaderLag) transactions behind"
    rows.append(("readers", "\(statistics.readers)\(lag)"))
    if let reader = statistics.oldestReader {
      let age = "for \(ProgressBar.grouped(UInt64(reader.ageInSeconds))) s at least"
      rows.append(("oldest reader", "process \(reader.processID), \(age), at position \(reader.position) at most"))
    }
    return rows
  }

  private static func text(_ values: Statistics.LargeValues) -> String {
    let count = ProgressBar.grouped(UInt64(values.count))
    return values.count == 0 ? count : "\(count), \(text(values.sizeInBytes))"
  }

  private static func text(_ size: Statistics.FileSize) -> String {
    "\(text(size.usedInBytes)) used of \(text(size.fileInBytes))"
  }

  /// Formats a size in the largest unit that is not greater than the size.
  private static func text(_ size: Int) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var (rest, unit) = (Double(size), 0)
    while rest >= 1_024, unit < units.count - 1 { (rest, unit) = (rest / 1_024, unit + 1) }
    if unit == 0 { return "\(size) bytes" }
    let tenths = Int((rest * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}

#endif
