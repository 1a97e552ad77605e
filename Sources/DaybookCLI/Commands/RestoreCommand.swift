import ArgumentParser
import Daybook

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Make a store of a backup, after verifying it.",
    discussion: "The store must not exist. It keeps the identity, the positions and the hashes of the one backed up.")

  @Argument(help: "The file that a backup was written to.", completion: .file())
  var file: String

  @Argument(help: "The directory of the store to make.", completion: .directory)
  var store: String

  @OptionGroup var output: JSONOption

  func run() throws {
    let bar = ProgressBar()
    let copy: StoreCopy
    do {
      defer { bar.finish() }
      copy = try StoreCopy.restore(file, to: store) { bar.show($0) }
    }
    try Console.standard.print(copy, json: output.json)
  }
}
