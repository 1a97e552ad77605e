#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take in files of Core Data, SQLite, CSV and JSON, a git repository, or what export wrote.",
    subcommands: subcommands)

  private static let subcommands: [any ParsableCommand.Type] = [
    ImportEventsCommand.self,
    ImportGitCommand.self,
    ImportCoreDataCommand.self,
    ImportSQLiteCommand.self,
    ImportCSVCommand.self,
    ImportJSONCommand.self,
  ]
}

struct ImportEventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Take in what `export` wrote.",
    discussion: """
      Positions, times and hashes stay as they were. A store that is missing is created. Of one that exists, the lines \
      that it has already must be the same commits, by their hashes; the others are appended.

      Each line is checked. One that cannot be taken ends the command with its number; the commits before it stand.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The file; standard input if it is left out, or -.", completion: .file())
  var file: String?

  @OptionGroup var output: JSONOption

  func run() throws {
    let input = try InputPieces(file ?? "-")
    let bar = ProgressBar()
    let summary: Importer.Summary
    do {
      defer { bar.finish() }
      var importer = Importer(to: arguments.store, options: StoreArguments.libraries)
      importer.progress = { bar.show($0) }
      summary = try importer.run { try input.next() }
    }
    Console.standard.noteWritten(summary.head)
    guard output.json else {
      let (commits, events) = (UInt64(summary.commits), UInt64(summary.events))
      return try Console.standard.print(
        commits == 0
          ? "Nothing new; the head is \(summary.head)."
          : "Imported \(ProgressBar.grouped(commits)) commits with \(ProgressBar.grouped(events)) events; the head is \(summary.head)."
      )
    }
    try Console.standard.print([
      "head": summary.head.json, "commits": .integer(Int64(summary.commits)),
      "events": .integer(Int64(summary.events)),
    ])
  }
}

/// Reads a file in pieces.
private final class InputPieces {
  private let path: String
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 256 << 10)

  /// - Parameter path: `-` is standard input.
  init(_ path: String) throws {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("Cannot open \(path)") }
  }

  deinit {
    if path != "-" { close(descriptor) }
  }

  func next() throws -> [UInt8]? {
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure("Cannot read \(path == "-" ? "standard input" : path)") }
      return count == 0 ? nil : Array(buffer[..<count])
    }
  }
}

#endif
