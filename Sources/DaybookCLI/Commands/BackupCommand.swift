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

extension Console {
  /// Prints a copy's head and size, which can be recorded for `verify --expect`.
  func print(_ copy: StoreCopy, json: Bool) throws {
    for warning in copy.warnings { printError("warning: the journal is whole, but \(warning)") }
    guard json else {
      return try print("head \(copy.head):\(copy.hash), journal \(copy.journalSizeInBytes) bytes")
    }
    try print(
      .object([
        ("head", copy.head.json), ("hash", .string(copy.hash.description)),
        ("bytes", .integer(Int64(copy.journalSizeInBytes))),
        ("warnings", .array(copy.warnings.map { .string($0.description) })),
      ]))
  }
}
