import ArgumentParser
import Daybook

struct UnrelateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unrelate", abstract: "Remove the link between two objects, and print the position.")

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The ID of the object, or a unique part of it.")
  var id: ObjectIDArgument

  @Argument(help: "The relationship.")
  var relationship: String

  @Argument(help: "The ID of the other object, or a unique part of it.")
  var targetID: ObjectIDArgument

  @OptionGroup var write: WriteArguments

  func run() throws {
    try write.write(to: arguments) { transaction in
      let id = try id.resolve(in: transaction)
      try transaction.unrelate(id, relationship, from: targetID.resolve(in: transaction))
      return id
    }
  }
}
