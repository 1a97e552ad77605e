#if Command

import ArgumentParser
import Daybook

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last commit of an author, in a new commit, and print its position.",
    discussion: """
      It takes the last commit that is not undone, is of no model, and is no undo or redo itself. So each undo goes one \
      commit further back, from any process; redo returns step by step.

      It is refused, with a list, if a value, link or place that it would write is not as the commit left it, if an \
      object that it would delete has got more since, if one that it would change is gone, or if a unique value is taken. \
      --force overwrites what later commits wrote, leaves out what cannot be written, and prints that.
      """)

  @OptionGroup var arguments: StoreArguments
  @OptionGroup var undo: UndoArguments

  func run() throws {
    try arguments.withStore { store in
      try undo.print(store.undo(undo.selection, options: undo.options), as: "undoes")
    }
  }
}

#endif
