import ArgumentParser
import Daybook

struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show what happened, commit by commit.",
    discussion: """
      A position is a number, head, or a time in ISO 8601, which is that of the last commit not recorded after it. Both \
      ends are included.

      With --object only the events that name the object are shown: as their subject, or as the end of a link. Objects \
      that were deleted have a history too.
      """)

  @OptionGroup var arguments: StoreArguments

  @Option(help: ArgumentHelp("Show the history of one object.", valueName: "id"))
  var object: ObjectIDArgument?

  @Option(help: ArgumentHelp("The first commit to show.", valueName: "position"))
  var from: PositionArgument?

  @Option(help: ArgumentHelp("The last commit to show.", valueName: "position"))
  var to: PositionArgument?

  @Flag(help: "Show the last commit first.")
  var reverse = false

  @Option(help: ArgumentHelp("Show no more commits than this.", valueName: "count"))
  var limit: Int?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
  }

  func run() throws {
    try arguments.withStore { store in
      let log = try makeLog(store)
      if output.json { return try printList(log) }
      if output.jsonl { return try printLines(log) }
      try printText(log, store)
    }
  }

  private func makeLog(_ store: Store) throws -> CommitLog {
    let (first, last, id) = try store.read { reader in
      (
        try from?.resolve(in: reader) ?? .empty, try to?.resolve(in: reader),
        try object.map { try reader.resolve($0.text, includesDeleted: true) }
      )
    }
    guard let id else { return try store.log(from: first, to: last, reversed: reverse, limit: limit) }
    return try store.history(of: id, from: first, to: last, reversed: reverse, limit: limit)
  }

  private func printLines(_ log: CommitLog) throws {
    var log = log
    var line: [UInt8] = []
    while try log.writeNext(.log, to: &line) {
      try Console.standard.write(line)
      line.removeAll(keepingCapacity: true)
    }
  }

  /// Prints one JSON value: the list of what the lines would be.
  private func printList(_ log: CommitLog) throws {
    var log = log
    var line: [UInt8] = []
    var isFirst = true
    try Console.standard.write("[")
    while try log.writeNext(.log, to: &line) {
      line.removeLast()
      try Console.standard.write(isFirst ? "" : ",\n ")
      try Console.standard.write(line)
      line.removeAll(keepingCapacity: true)
      isFirst = false
    }
    try Console.standard.print("]")
  }

  private func printText(_ log: CommitLog, _ store: Store) throws {
    var log = log
    var writer = CommitText(store)
    var isFirst = true
    while let commit = try log.next() {
      if !isFirst { try Console.standard.print() }
      isFirst = false
      for line in try writer.lines(of: commit) { try Console.standard.print(line) }
    }
  }
}
