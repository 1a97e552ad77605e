import ArgumentParser
import Daybook
import Foundation

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
    try Console.standard.printPosition(store.head(), json: output.json)
  }
}
