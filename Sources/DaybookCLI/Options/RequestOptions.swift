#if Command

import ArgumentParser
import Daybook

/// The parts of a fetch request, apart from its entity.
struct RequestOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      """
      Only objects that meet this, such as name BEGINSWITH[c] "Ch" AND servings >= 4, \
      COUNT(ingredients WHERE amount > 2) >= 3, ANY tags WHERE (name == "x" AND rank > 2), or by the present time \
      due < now + 2d (units s, m, h, d, w).
      """, valueName: "filter"))
  var filter: String?

  @OptionGroup var variables: FilterVariables

  @Flag(help: "Leave out the objects of the entity's children.")
  var only = false

  @OptionGroup var groups: GroupOptions

  @Option(
    help: ArgumentHelp(
      """
      Sort by this key path, such as type.name, name:desc, due:nils-last or name:locale:sv, or by the places in an ordered \
      relationship, recipe:in:ID; groups by a shown value or a key, sum:servings:desc. Can be repeated.
      """, valueName: "key"))
  var sort: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Make sections by this key path, such as type.name, createdAt.day:desc, type.name:nils-last or \
      name.initial:other-last; of groups, by their first key.
      """, valueName: "key"))
  var section: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      With --section: names of sections in the order wanted, such as 'Soup,Main course'; a name with a comma is in double \
      quotes, and the other sections follow. Can be repeated.
      """, valueName: "name,..."))
  var sectionOrder: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Show the values at these key paths, such as name,type.name: a change of one of them, and of no other value, is an \
      update. All attributes and the links that the entity owns if it is left out; can be repeated. With --group: the \
      values of each group, such as 'count, total = sum:servings'; the functions are count, sum, average, min, max, \
      distinct, first and last.
      """, valueName: "path,..."))
  var show: [String] = []

  @Option(
    name: .customLong("timezone"),
    help: ArgumentHelp("Where days, weeks, months and years begin.", valueName: "name"))
  var timeZone = "UTC"

  @Option(help: ArgumentHelp("The most rows.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("How many rows to leave out at the start.", valueName: "count"))
  var offset = 0

  /// Whether none of the options was given.
  var isEmpty: Bool {
    filter == nil && !only && variables.assignments.isEmpty && groups.isEmpty && sort.isEmpty && section == nil
      && sectionOrder.isEmpty && show.isEmpty && timeZone == "UTC" && limit == nil && offset == 0
  }

  func validate() throws {
    if section == nil, !sectionOrder.isEmpty { throw ValidationError("--section-order needs --section.") }
  }

  /// Returns the request.
  ///
  /// - Throws: `QueryError` for invalid text.
  func request(for entity: String) throws -> FetchRequest {
    let grouping = try groups.grouping(showing: show, variables)
    return FetchRequest(
      entity: entity, filter: try variables.filter(filter, beside: groups.having),
      sort: try sort.map { try grouping == nil ? SortTerm(parsing: $0) : SortTerm(parsingGroups: $0) },
      section: try sectionKey, timeZone: timeZone, limit: limit, offset: offset,
      shows: grouping == nil ? try FetchRequest.paths(parsing: show) : nil, grouping: grouping, isExact: only)
  }

  private var sectionKey: SectionKey? {
    get throws {
      var key = try section.map { try SectionKey(parsing: $0) }
      if !sectionOrder.isEmpty { key?.order = try sectionOrder.flatMap { try SectionKey.order(parsing: $0) } }
      return key
    }
  }
}

#endif
