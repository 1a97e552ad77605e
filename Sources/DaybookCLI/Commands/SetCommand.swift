import ArgumentParser
import Daybook

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change attributes of an object, and print the position.",
    discussion: "An attribute without a value (note=) is cleared if it is optional; a required string becomes empty.")

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The ID of the object, or a unique part of it.")
  var id: ObjectIDArgument

  @Argument(help: ArgumentHelp("Attributes with their new values.", valueName: "attribute=value"))
  var assignments: [Assignment]

  @OptionGroup var write: WriteArguments

  func run() throws {
    try write.write(to: arguments) { transaction in
      let id = try id.resolve(in: transaction)
      let entity = try transaction.requireEntity(of: id)
      try transaction.set(id, values: assignments.values(of: entity))
      return id
    }
  }
}
