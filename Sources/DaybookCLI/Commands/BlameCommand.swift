#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct BlameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blame",
    abstract: "Show which commit set each value and link of an object, and who made it.")

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The ID of the object, or a unique part of it.")
  var id: ObjectIDArgument

  @OptionGroup var past: PastOption

  @OptionGroup var output: JSONOption

  func run() throws {
    try arguments.withStore { store in
      try past.read(id, in: store) { id, reader in
        let blame = try reader.blame(of: id)
        if output.json { try Console.standard.print(blame.json) } else { try show(blame, reader) }
      }
    }
  }

  private func show(_ blame: Blame, _ reader: borrowing StoreReader) throws {
    var labels = ObjectLabels(reader.resolvedModel)
    var table = TextTable(["position", "time", "author", "name", "value"])
    for line in blame.lines {
      let text =
        if case .uuid(let target) = line.value, line.isLink {
          try labels.label(of: target, reader)
        } else {
          CommitText.text(line.value, line.type)
        }
      table.add(["\(line.position)", line.time.description, line.author ?? "", line.name, text])
    }
    try table.print(to: .standard)
  }
}

private extension Blame.Line {
  /// The time when it happened, if the writer stated it, or else when it was recorded.
  var time: Timestamp { summary.time }
}

#endif
