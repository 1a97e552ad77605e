#if Command

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
    try Console.standard.printCopy(to: file, json: output.json) {
      try Store.backUp(at: store, to: file, options: StoreArguments.libraries, progress: $0)
    }
  }
}

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
    try Console.standard.printCopy(to: store, json: output.json) {
      try Store.restore(file, to: store, options: StoreArguments.libraries, progress: $0)
    }
  }
}

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Make a second store with the same commits that takes as little room as they need.",
    discussion: """
      After bulk deletes a store keeps the room for later commits. To give it back, compact it while nobody writes to \
      it, and put the new directory in the place of the old one.
      """)

  @Argument(help: "The directory of the store.", completion: .directory)
  var store: String

  @Argument(help: "The directory of the store to make, which must not exist.", completion: .directory)
  var file: String

  @OptionGroup var output: JSONOption

  func run() throws {
    try Console.standard.printCopy(to: file, json: output.json) {
      try Store.compact(at: store, to: file, options: StoreArguments.libraries, progress: $0)
    }
  }
}

private extension Console {
  /// Makes a copy while a bar shows the progress, and prints it.
  func printCopy(
    to path: String, json: Bool, _ make: (_ progress: @escaping (StoreProgress) -> Void) throws -> StoreVerification
  ) throws {
    let bar = ProgressBar()
    let copy: StoreVerification
    do {
      defer { bar.finish() }
      copy = try make { bar.show($0) }
    }
    noteWritten("The copy itself succeeded: it is complete at \(path).")
    try print(copy, json: json)
  }

  /// Prints a copy's head and size, which can be recorded for `verify --expect`.
  func print(_ copy: StoreVerification, json: Bool) throws {
    for fault in copy.faults { printError("warning: the journal is whole, but \(fault)") }
    let hash = copy.hash.map { "\($0)" } ?? ""
    guard json else {
      return try print("head \(copy.head):\(hash), journal \(copy.journalSizeInBytes) bytes")
    }
    try print(
      .object([
        ("head", copy.head.json), ("hash", .string(hash)),
        ("bytes", .integer(Int64(copy.journalSizeInBytes))),
        ("warnings", .array(copy.faults.map { .string($0.description) })),
      ]))
  }
}

#endif
