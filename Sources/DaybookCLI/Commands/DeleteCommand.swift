import ArgumentParser
import Daybook

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an object and what its delete rules say, and print the position.")

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The ID of the object, or a unique part of it.")
  var id: ObjectIDArgument

  @OptionGroup var write: WriteArguments

  func run() throws {
    try write.write(to: arguments) { transaction in
      let id = try id.resolve(in: transaction)
      try transaction.delete(id)
      return id
    }
  }
}
