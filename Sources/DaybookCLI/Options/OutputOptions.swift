#if Command

import ArgumentParser
import Daybook

/// Options of commands whose results can be one JSON value or many.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON value.")
  var json = false

  @Flag(help: "Print JSON lines: one object a line.")
  var jsonl = false

  func validate() throws {
    if json && jsonl { throw ValidationError("Give --json or --jsonl, not both.") }
  }
}

/// Options of commands whose result can be one JSON value.
struct JSONOption: ParsableArguments {
  @Flag(help: "Print one JSON value.")
  var json = false

  /// Prints the position of what the command has written, which is the whole result.
  func print(_ position: Position) throws {
    Console.standard.noteWritten(position)
    try json
      ? Console.standard.print(["position": position.json]) : Console.standard.print(position.description)
  }
}

/// Options of commands whose results can be JSON lines.
struct JSONLinesOption: ParsableArguments {
  @Flag(help: "Print JSON lines: one object a line.")
  var jsonl = false
}

/// The author and the message of a command's commit.
struct WriteOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Who writes.", valueName: "name"))
  var author: String?

  @Option(help: ArgumentHelp("Why.", valueName: "text"))
  var message: String?

  var info: CommitInfo { CommitInfo(author: author, message: message) }
}

#endif
