#if Command

import ArgumentParser
import Daybook

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the commit that was undone last, in a new commit, and print its position.",
    discussion: """
      It takes the commit of the author that was undone last, if the author has made no other commit since. It is \
      refused, and forced, as undo is.
      """)

  @OptionGroup var arguments: StoreArguments
  @OptionGroup var undo: UndoArguments

  func run() throws {
    try arguments.withStore { store in
      try undo.print(store.redo(undo.selection, options: undo.options), as: "redoes")
    }
  }
}

#endif
