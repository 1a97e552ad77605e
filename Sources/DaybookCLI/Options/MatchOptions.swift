#if Command

import ArgumentParser
import Daybook

/// The options of commands that change one object, or all objects of an entity that match a filter.
struct MatchOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "All objects of the entity that meet this, in one commit; the entity is named instead of an ID.",
      valueName: "filter"))
  var filter: String?

  @OptionGroup var variables: FilterVariables

  @Flag(help: "With --where: leave out the objects of the entity's children.")
  var only = false

  @Flag(help: "Print how many objects it would concern, and write nothing.")
  var dryRun = false

  /// Returns the request for the objects to change, or `nil` if they are named by an ID.
  ///
  /// - Throws: `QueryError` for a filter that cannot be parsed.
  func request(for entity: String) throws -> FetchRequest? {
    try variables.filter(filter).map { FetchRequest(entity: entity, filter: $0, isExact: only) }
  }
}

#endif
