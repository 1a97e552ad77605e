#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change attributes of an object, or of all that match a filter; print the position.",
    usage: """
      daybook set <store> <id> <attribute=value> ...
      daybook set <store> <entity> --where <filter> <attribute=value> ...
      """,
    discussion: """
      daybook set STORE Recipe --where 'servings > 8' servings=8

      An attribute without a value (note=) is cleared if it is optional; a required string becomes empty. With --where \
      all objects that match are changed in one commit; if none does, nothing is written and the head is printed.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(
    help: ArgumentHelp("The ID of the object, or a unique part of it; with --where the entity.", valueName: "id"))
  var target: ObjectIDArgument

  @OptionGroup var match: MatchOptions

  @Argument(help: ArgumentHelp("Attributes with their new values.", valueName: "attribute=value"))
  var assignments: [Assignment]

  @OptionGroup var write: WriteArguments

  func run() throws {
    guard let request = try match.request(for: target.text) else {
      return try write.write(to: arguments, dryRun: match.dryRun) { transaction in
        let id = try target.resolve(in: transaction)
        let entity = try transaction.requireEntity(of: id)
        try transaction.set(id, assignments.values(of: entity))
        return id
      }
    }
    try write.writeAll(to: arguments, dryRun: match.dryRun) { transaction in
      let entity = try transaction.requireEntity(named: request.entity)
      return try transaction.set(where: request, assignments.values(of: entity))
    }
  }
}

#endif
