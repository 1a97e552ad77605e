#if Command

import ArgumentParser
import Daybook
import DaybookTools

/// The options of undo and redo.
struct UndoArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Whose commits; any commits if it is left out.", valueName: "name"))
  var author: String?

  @Option(help: ArgumentHelp("How many commits, together or not at all.", valueName: "count"))
  var steps = 1

  @Option(name: .customLong("as"), help: ArgumentHelp("Who writes; the author unless given.", valueName: "name"))
  var writer: String?

  @Option(help: ArgumentHelp("Why.", valueName: "text"))
  var message: String?

  @Flag(help: "Overwrite what later commits wrote, and leave out what cannot be written.")
  var force = false

  @OptionGroup var output: JSONOption

  var selection: UndoSelection { .last(steps, of: author) }

  var options: UndoOptions { UndoOptions(CommitInfo(author: writer, message: message), force: force) }

  func validate() throws {
    if steps < 1 { throw ValidationError("--steps takes a number from 1.") }
  }

  /// Prints the positions of the new commits, a line each, and what they left out.
  func print(_ outcomes: [UndoOutcome], as verb: String) throws {
    if let position = outcomes.last?.position { Console.standard.noteWritten(position) }
    guard !output.json else { return try Console.standard.print(UndoOutcome.json(of: outcomes, as: verb)) }
    for outcome in outcomes {
      try Console.standard.print(outcome.position.description)
      for omission in outcome.omissions {
        try Console.standard.print("  left out: \(PrintableText.line(omission))")
      }
    }
  }
}

#endif
