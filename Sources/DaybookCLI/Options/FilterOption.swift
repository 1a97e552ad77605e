#if Command

import ArgumentParser
import Daybook

/// The filter of commands that count objects.
struct FilterOption: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Only objects that meet this.", valueName: "filter"))
  var filter: String?

  @OptionGroup var variables: FilterVariables

  /// Returns the request for the objects.
  ///
  /// - Throws: `QueryError` for a filter that cannot be parsed.
  func request(for entity: String) throws -> FetchRequest {
    FetchRequest(entity: entity, filter: try variables.filter(filter))
  }
}

#endif
