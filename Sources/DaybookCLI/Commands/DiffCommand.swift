#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what is different about a request's result between two positions.",
    discussion: """
      daybook diff STORE Recipe --section type.name --sort name --from 5 --to 7
      daybook diff STORE --tree Folder.children --from 5

      Sections and rows are counted as list views do: deletes, and where moves and updates come from, in the old \
      result; inserts, and where they go to, in the new one. If --to lies before --from it is the way back.

      With --tree it is the difference of a tree, by paths of indexes from the top down: a subtree that moved is one move.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The entity; with --tree it may be left out.")
  var entity: String?

  @OptionGroup var options: RequestOptions

  @OptionGroup var tree: TreeOptions

  @Option(help: ArgumentHelp("The position of the old result; 0 is the empty state.", valueName: "position"))
  var from: PositionText

  @Option(help: ArgumentHelp("The position of the new result; the head if it is left out.", valueName: "position"))
  var to: PositionText = .head

  @OptionGroup var output: OutputOptions

  func validate() throws { try tree.check(entity, options) }

  func run() throws {
    if let relationship = tree.relationship(of: entity) { return try printTree(relationship) }
    let request = try options.request(for: entity ?? "")
    try arguments.withStore { store in
      let change = try store.read { head in
        try head.reading([request.entity]) { reader in
          try reader.difference(of: request, from: try from.resolve(in: reader), to: try to.resolve(in: reader))
        }
      }
      if output.json || output.jsonl { return try Console.standard.print(change.json) }
      try ChangePrinter(.standard, store, request).print(change)
    }
  }

  private func printTree(_ relationship: String) throws {
    try arguments.withStore { store in
      let change = try store.read { reader in
        try reader.treeDifference(
          ofTree: relationship, root: try tree.root?.resolve(in: reader), depth: tree.depth,
          from: try from.resolve(in: reader), to: try to.resolve(in: reader))
      }
      try TreeChangePrinter(.standard, store, json: output.json || output.jsonl).print(change)
    }
  }
}

#endif
