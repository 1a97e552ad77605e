import ArgumentParser
import Daybook

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write the journal to one file, and verify it.",
    discussion: "The store may be in use. The file must not exist; `restore` makes a store of it.")

  @Argument(help: "The directory of the store.", completion: .directory)
  var store: String

  @Argument(help: "The file to write.", completion: .file())
  var file: String

  @OptionGroup var output: JSONOption

  func run() throws {
    let bar = ProgressBar()
    let copy: StoreCopy
    do {
      defer { bar.finish() }
      copy = try StoreCopy.backup(storeAt: store, to: file) { bar.show($0) }
    }
    try Console.standard.print(copy, json: output.json)
  }
}
