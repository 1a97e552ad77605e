import ArgumentParser
import Foundation
import GRDB

/// Measures Daybook's jobs beside the raw engine and beside an alternative of users, in one process run.
@main
struct DaybookBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook-bench",
    abstract: "Compares Daybook with raw LMDB and with GRDB; prints times and ratios.",
    discussion: "Jobs: \(JobCatalogue.names.joined(separator: ", ")).",
    subcommands: [HoldReader.self, MeasureMemory.self])

  @Option(name: .customLong("only"), help: "Run only this job; may be given several times.")
  var only: [String] = []

  @Option(
    name: .customLong("contestant"), help: "Run only this contestant of each job, as for a profile; may be repeated.")
  var contestants: [String] = []

  @Option(help: "Objects in a store (default: 1,000,000; quick: 100,000; check: 2,000).")
  var rows: Int?

  @Option(help: "Counted rounds (default: 5; quick: 3; check: 1).")
  var rounds: Int?

  @Flag(
    help: ArgumentHelp(
      "How much to do: smaller stores and fewer rounds, or next to nothing.",
      discussion: "--check shows that each job runs and gives the same answers; its times mean nothing."))
  var size = Size.full

  @Option(
    help: "How timestamps, and so the sorted view, lie to the order of writing: \(Workload.TimestampOrder.allNames).")
  var timestamps = Workload.TimestampOrder.scattered

  @Option(help: "The git repository for the job git-import, which is left out without one.")
  var repository: String?

  @Option(
    name: .customLong("duckdb"),
    help: "A Python with the package duckdb, for the job groups, which leaves DuckDB out without one.")
  var duckDB: String?

  @Option(help: "The command that git-import measures (default: ../../.build/release/daybook).")
  var daybook: String?

  @Option(help: "Where to write; its file system decides what a flush costs (default: the temporary directory).")
  var directory: String?

  @Option(help: "Write the results as JSON to this file.")
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Print the results in a file that --json wrote as a Markdown table, and measure nothing; may be repeated."))
  var markdown: [String] = []

  func validate() throws {
    guard rows ?? 1 > 0, rounds ?? 1 > 0 else { throw ValidationError("Rows and rounds must be greater than zero.") }
  }

  func run() async throws {
    guard markdown.isEmpty else { return print(try markdown.map { try Report(from: URL(filePath: $0)) }.markdown) }
    let settings = Settings(
      rows: rows ?? size.rows, rounds: rounds ?? size.rounds, timestamps: timestamps, repository: repository,
      duckDB: duckDB,
      command: daybook, commits: size.commits, readerWaitInSeconds: size.readerWaitInSeconds)
    let parent = directory.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    let jobs = try JobCatalogue(settings: settings).jobs(named: only).compactMap { $0.with(contestants) }
    let scratch = try ScratchDirectory(in: parent)
    do {
      try await run(jobs, settings: settings, scratch: scratch)
    } catch {
      // The error that ended the run is the one to report.
      try? scratch.remove()
      throw error
    }
    try scratch.remove()
  }

  private func run(_ jobs: [Job], settings: Settings, scratch: ScratchDirectory) async throws {
    let sqliteVersion = try await DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
    var report = Report(
      machine: MachineFacts(writingTo: scratch.url, sqliteVersion: sqliteVersion ?? "unknown"), settings: settings)
    print(report.machine.text)
    print("\(grouped(settings.rows)) rows, \(settings.rounds) rounds, timestamps \(settings.timestamps.rawValue)")
    let runner = Runner(rounds: settings.rounds, scratch: scratch) { line in
      FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
    for job in jobs {
      let result = try await runner.run(job)
      report.jobs.append(result)
      print("\n\(result.text)")
      // After each job, so that a run that is stopped leaves what it has measured.
      if let json { try report.write(to: URL(filePath: json)) }
    }
  }
}

/// How much a run does.
enum Size: EnumerableFlag {
  case full, quick, check

  static func name(for value: Size) -> NameSpecification { .long }

  var rows: Int {
    switch self {
    case .full: 1_000_000
    case .quick: 100_000
    case .check: 2_000
    }
  }

  var rounds: Int {
    switch self {
    case .full: 5
    case .quick: 3
    case .check: 1
    }
  }

  /// Durable commits of one writer in a round.
  var commits: Int {
    switch self {
    case .full: 1_000
    case .quick: 200
    case .check: 20
    }
  }

  /// For how long commits are made beside a reader before the growth of the files is measured, in seconds.
  var readerWaitInSeconds: Double {
    switch self {
    // Longer than the 10 seconds between two checks for dead readers.
    case .full, .quick: 12
    case .check: 0.1
    }
  }
}

extension Workload.TimestampOrder: ExpressibleByArgument {
  fileprivate static var allNames: String { allCases.map(\.rawValue).joined(separator: " or ") }
}
