import ArgumentParser
import Daybook

/// The options of undo and redo.
struct UndoOptions: ParsableArguments {
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

  func validate() throws {
    if steps < 1 { throw ValidationError("--steps takes a number from 1.") }
  }

  /// Prints the positions of the new commits, a line each, and what they left out.
  func print(_ outcomes: [UndoOutcome], as verb: String) throws {
    guard !output.json else { return try printJSON(outcomes, verb) }
    for outcome in outcomes {
      try Console.standard.print(outcome.position.description)
      for omission in outcome.omissions {
        try Console.standard.print("  left out: \(DisplayWidth.printable(omission))")
      }
    }
  }

  private func printJSON(_ outcomes: [UndoOutcome], _ verb: String) throws {
    let commits = outcomes.map { outcome in
      JSONValue.object([
        (key: "position", value: outcome.position.json), (key: verb, value: [outcome.target.json]),
        (key: "leftOut", value: .array(outcome.omissions.map { .string($0) })),
      ])
    }
    let last = outcomes.last?.position.json ?? .null
    try Console.standard.print(["position": last, "commits": .array(commits)])
  }
}
