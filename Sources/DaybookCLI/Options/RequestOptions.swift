import ArgumentParser
import Daybook

/// The parts of a fetch request, apart from its entity.
struct RequestOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      #"Only objects that meet this: name BEGINSWITH[c] "Ch" AND servings >= 4."#, valueName: "filter"))
  var filter: String?

  @OptionGroup var variables: FilterVariables

  @Option(
    help: ArgumentHelp(
      """
      Sort by this key path, such as type.name, name:desc or name:locale:sv, or by the places in an ordered relationship, \
      recipe:in:ID; can be repeated.
      """, valueName: "key"))
  var sort: [String] = []

  @Option(
    help: ArgumentHelp("Make sections by this key path, such as type.name or createdAt.day:desc.", valueName: "key"))
  var section: String?

  @Option(
    name: .customLong("timezone"),
    help: ArgumentHelp("Where days, weeks, months and years begin.", valueName: "name"))
  var timeZone = "UTC"

  @Option(help: ArgumentHelp("The most objects.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("How many objects to leave out at the start.", valueName: "count"))
  var offset = 0

  /// Whether none of the options was given.
  var isEmpty: Bool {
    filter == nil && variables.assignments.isEmpty && sort.isEmpty && section == nil && timeZone == "UTC"
      && limit == nil && offset == 0
  }

  /// Returns the request.
  ///
  /// - Throws: `FilterError` and `QueryError` for invalid text.
  func request(for entity: String) throws -> FetchRequest {
    FetchRequest(
      entity: entity, filter: try variables.filter(filter), sort: try sort.map { try SortTerm($0) },
      section: try section.map { try SectionKey($0) }, timeZone: timeZone, limit: limit, offset: offset)
  }
}
