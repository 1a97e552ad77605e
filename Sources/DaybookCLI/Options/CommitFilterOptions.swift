#if Command

import ArgumentParser
import Daybook
import DaybookTools

/// The conditions on the commits that `log` shows.
struct CommitFilterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only commits with an event of an object of this entity.", valueName: "name"))
  var entity: String?

  @Option(
    help: ArgumentHelp(
      "Only commits with an event of this kind: \(CommitKind.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "kind"))
  var kind: CommitKind?

  @Option(help: ArgumentHelp("Only commits with a recorded event of this name.", valueName: "name"))
  var event: String?

  @Option(help: ArgumentHelp("Only commits whose author contains this.", valueName: "text"))
  var author: String?

  @Option(help: ArgumentHelp("Only commits whose message contains this.", valueName: "text"))
  var message: String?

  @Option(help: ArgumentHelp("Only commits with this correlation.", valueName: "text"))
  var correlation: String?

  @Flag(name: [.customShort("i"), .long], help: "Ignore case in --author and --message.")
  var ignoreCase = false

  @Option(
    help: ArgumentHelp("Only commits that happened at this time or later.", valueName: "time"),
    transform: TimeArgument.parse)
  var since: Timestamp?

  @Option(
    help: ArgumentHelp("Only commits that happened at this time or earlier.", valueName: "time"),
    transform: TimeArgument.parse)
  var until: Timestamp?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Only commits with an event, or metadata, that meets this: event.servings >= 4 AND metadata.ticket == 12.",
      valueName: "filter"))
  var condition: String?

  @OptionGroup var variables: FilterVariables

  /// Returns the filter.
  ///
  /// - Throws: `QueryError` for invalid text.
  func filter(object: ObjectID?) throws -> CommitFilter {
    CommitFilter(
      entity: entity, kind: kind?.event, event: event, object: object, author: author, message: message,
      ignoresCase: ignoreCase, correlation: correlation, since: since, until: until, isModel: kind?.isModel ?? false,
      condition: try variables.filter(condition))
  }
}

/// An argument that is a time in ISO 8601.
enum TimeArgument {
  /// - Throws: `ValidationError` for other text.
  static func parse(_ text: String) throws -> Timestamp {
    guard let time = Timestamp(text) else { throw ValidationError("Give a time such as \(Timestamp.forms).") }
    return time
  }
}

#endif
