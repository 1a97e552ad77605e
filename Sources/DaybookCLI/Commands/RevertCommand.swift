#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct RevertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert", abstract: "Undo what commits did, in a new commit, and print its position.",
    discussion: """
      It is refused, with a list, if a value, link or place that it would write is not as the commits left it, or \
      objects that would go have been given others; --force overwrites what later commits wrote. A revert can be reverted.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The commit to undo: a number, head, or a time.")
  var position: PositionText

  @Option(help: ArgumentHelp("Undo all commits up to this one.", valueName: "position"))
  var to: PositionText?

  @Flag(help: "Undo it even if later commits touched the same.")
  var force = false

  @OptionGroup var commit: WriteOptions

  @OptionGroup var output: JSONOption

  func run() throws {
    try arguments.withStore { store in
      // Another node may have made the commit.
      try store.replication?.wait()
      let (first, last) = try store.read { reader in
        (try position.resolve(in: reader), try to?.resolve(in: reader))
      }
      let outcomes = try store.undo(
        .commits(first, through: last ?? first), options: UndoOptions(commit.info, force: force))
      let reverted = outcomes[0].position
      Console.standard.noteWritten(reverted)
      if output.json { return try Console.standard.print(["position": reverted.json]) }
      try Console.standard.print(reverted.description)
    }
  }
}

#endif
