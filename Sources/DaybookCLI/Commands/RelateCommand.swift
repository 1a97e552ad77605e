#if Command

import ArgumentParser
import Daybook

struct RelateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relate", abstract: "Link two objects, and print the position.",
    discussion: "In an ordered relationship the target comes last, or where --before or --after say.")

  @OptionGroup var arguments: StoreArguments

  @Argument(help: "The ID of the object, or a unique part of it.")
  var id: ObjectIDArgument

  @Argument(help: "The relationship.")
  var relationship: String

  @Argument(help: "The ID of the other object, or a unique part of it.")
  var targetID: ObjectIDArgument

  @Option(help: ArgumentHelp("Put the target in front of this one.", valueName: "id"))
  var before: ObjectIDArgument?

  @Option(help: ArgumentHelp("Put the target behind this one.", valueName: "id"))
  var after: ObjectIDArgument?

  @OptionGroup var write: WriteArguments

  func validate() throws {
    if before != nil, after != nil { throw ValidationError("Give --before or --after, not both.") }
  }

  func run() throws {
    try write.write(to: arguments) { transaction in
      let id = try id.resolve(in: transaction)
      try transaction.relate(
        id, relationship, to: targetID.resolve(in: transaction), at: place(in: transaction))
      return id
    }
  }

  private func place(in transaction: borrowing Transaction) throws -> Place {
    if let before { return .before(try before.resolve(in: transaction)) }
    if let after { return .after(try after.resolve(in: transaction)) }
    return .unspecified
  }
}

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

#endif
