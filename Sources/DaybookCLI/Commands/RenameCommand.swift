#if Command

import ArgumentParser
import Daybook

struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Change the name of an object, and print the position.")

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The ID of the object, or a unique part of it.")
  var id: ObjectIDArgument

  @Argument(help: "What the object is called from now on.")
  var newName: String

  @OptionGroup var write: WriteArguments

  func run() throws {
    try write.write(to: arguments) { transaction in
      let id = try id.resolve(in: transaction)
      try transaction.rename(id, to: newName)
      return id
    }
  }
}

#endif
