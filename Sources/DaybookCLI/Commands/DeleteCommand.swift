#if Command

import ArgumentParser
import Daybook

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an object and what its delete rules say, or all that match a filter; print the position.",
    usage: """
      daybook delete <store> <id>
      daybook delete <store> <entity> --where <filter>
      """,
    discussion: """
      daybook delete STORE Recipe --where 'note == nil'

      With --where all objects that match are deleted together in one commit; if none does, nothing is written and the \
      head is printed.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(
    help: ArgumentHelp("The ID of the object, or a unique part of it; with --where the entity.", valueName: "id"))
  var target: ObjectIDArgument

  @OptionGroup var match: MatchOptions

  @OptionGroup var write: WriteArguments

  func run() throws {
    guard let request = try match.request(for: target.text) else {
      return try write.write(to: arguments, dryRun: match.dryRun) { transaction in
        let id = try target.resolve(in: transaction)
        try transaction.delete(id)
        return id
      }
    }
    try write.writeAll(to: arguments, dryRun: match.dryRun) { transaction in
      try transaction.delete(where: request)
    }
  }
}

#endif
