import ArgumentParser
import Daybook

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
    let bar = ProgressBar()
    let copy: StoreCopy
    do {
      defer { bar.finish() }
      copy = try StoreCopy.compact(storeAt: store, to: file) { bar.show($0) }
    }
    try Console.standard.print(copy, json: output.json)
  }
}
