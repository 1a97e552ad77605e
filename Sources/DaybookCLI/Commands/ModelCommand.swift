#if Command

import ArgumentParser
import Daybook

struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Show the model, or apply another one.",
    discussion: """
      With --json the model is printed as a model file, which can be changed and applied. Applying makes one commit \
      that touches no object, and prints its position; with --dry-run it only prints what would be done. A model with a new \
      rule that objects break is refused, and names them, unless --new-values-only is given.
      """)

  @OptionGroup var arguments: StoreArguments

  @Option(
    help: ArgumentHelp("Apply this model, a JSON file; - is standard input.", valueName: "file"), completion: .file())
  var apply: String?

  @Flag(help: "Print what applying the model would do, and write nothing.")
  var dryRun = false

  @Flag(help: "Check new rules for values that are written from now on, and not for the objects that exist.")
  var newValuesOnly = false

  @OptionGroup var commit: WriteOptions
  @OptionGroup var output: JSONOption

  func validate() throws {
    if dryRun, apply == nil { throw ValidationError("--dry-run needs --apply.") }
    if newValuesOnly, apply == nil { throw ValidationError("--new-values-only needs --apply.") }
  }

  func run() throws {
    let model = try apply.map { try InputFile.model(at: $0) }
    try arguments.withStore { store in
      switch model {
      case nil: try show(store)
      case let model? where dryRun: try plan(model, in: store)
      case let model?: try apply(model, to: store)
      }
    }
  }

  private func show(_ store: Store) throws {
    let model = try store.read { $0.model }
    if output.json { return try Console.standard.write(model.text + "\n") }
    try Console.standard.print(ModelText(model).text)
  }

  private func plan(_ model: Model, in store: Store) throws {
    let steps = try store.plan(model, checking: scope)
    if output.json { return try print(steps, at: store.position) }
    for step in steps { try Console.standard.print(step) }
  }

  private func apply(_ model: Model, to store: Store) throws {
    let (position, steps) = try store.apply(model, checking: scope, info: commit.info)
    Console.standard.noteWritten(position)
    if output.json { return try print(steps, at: position) }
    try Console.standard.print(position.description)
  }

  private var scope: RuleScope { newValuesOnly ? .newValues : .allObjects }

  private func print(_ steps: [String], at position: Position) throws {
    try Console.standard.print(["position": position.json, "steps": .array(steps.map(JSONValue.string))])
  }
}

#endif
