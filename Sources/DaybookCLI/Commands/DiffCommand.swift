import ArgumentParser
import Daybook

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what is different about a request's result between two positions.",
    discussion: """
      daybook diff STORE Recipe --section type.name --sort name --from 5 --to 7

      Sections and rows are counted as list views do: deletes, and where moves and updates come from, in the old \
      result; inserts, and where they go to, in the new one. If --to lies before --from it is the way back.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @OptionGroup var options: RequestOptions

  @Option(help: ArgumentHelp("The position of the old result; 0 is the empty state.", valueName: "position"))
  var from: PositionArgument

  @Option(help: ArgumentHelp("The position of the new result; the head if it is left out.", valueName: "position"))
  var to: PositionArgument = .head

  @OptionGroup var output: OutputOptions

  func run() throws {
    let request = try options.request(for: entity)
    try arguments.withStore { store in
      let change = try store.read { reader in
        try reader.difference(of: request, from: try from.resolve(in: reader), to: try to.resolve(in: reader))
      }
      if output.json || output.jsonl { return try Console.standard.print(change.json) }
      try ChangePrinter(.standard, store).print(change)
    }
  }
}
