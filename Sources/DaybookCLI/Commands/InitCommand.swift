import ArgumentParser
import Daybook

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a store; the model is its first commit.")

  @OptionGroup var arguments: StoreArguments

  @Option(help: ArgumentHelp("The model, a JSON file; - is standard input.", valueName: "file"), completion: .file())
  var model: String

  @OptionGroup var output: JSONOption

  func run() throws {
    let model = try Model(parsing: InputFile.bytes(at: model))
    let store = try Store.create(at: arguments.store, model: model)
    defer { store.close() }
    let position = try store.head()
    try output.json
      ? Console.standard.print(["position": position.json]) : Console.standard.print(position.description)
  }
}
