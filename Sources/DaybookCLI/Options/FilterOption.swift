#if Command

import ArgumentParser
import Daybook

/// The filter and the groups of commands that count.
struct FilterOption: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Only objects that meet this, such as servings >= 4 or due < now + 2d.", valueName: "filter"))
  var filter: String?

  @OptionGroup var variables: FilterVariables

  @Flag(help: "Leave out the objects of the entity's children.")
  var only = false

  @OptionGroup var groups: GroupOptions

  @Option(
    help: ArgumentHelp(
      "With --group: the values of groups that --having names; can be repeated.", valueName: "value,..."))
  var show: [String] = []

  @Option(
    name: .customLong("timezone"),
    help: ArgumentHelp("With --group: where days, weeks, months and years begin.", valueName: "name"))
  var timeZone = "UTC"

  func validate() throws {
    if groups.group.isEmpty, !show.isEmpty { throw ValidationError("--show needs --group.") }
  }

  /// Whether none of the options was given.
  var isEmpty: Bool { filter == nil && !only && groups.isEmpty }

  /// Returns the request for the objects, or the groups.
  ///
  /// - Throws: `QueryError` for invalid text.
  func request(for entity: String) throws -> FetchRequest {
    FetchRequest(
      entity: entity, filter: try variables.filter(filter, beside: groups.having), timeZone: timeZone,
      grouping: try groups.grouping(showing: show, variables), isExact: only)
  }
}

#endif
