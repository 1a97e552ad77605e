import DaybookModel

/// What a request asks for, whatever its rows are: the objects of an entity, their order, and their sections.
///
/// A sectioned request sorts by its section key first, whatever ``sort`` contains, and the object's id is always the
/// last term, ascending: so an order is total, and a section's rows are always together.
package struct FetchRequest: Hashable, Sendable {
  /// The name of the entity.
  package var entity: String
  /// Whether objects of the entity's descendants are left out.
  package var isExact: Bool
  /// The condition on the objects, or `nil` for all objects.
  package var filter: Filter?
  /// The order of the rows, the most significant term first.
  package var sort: [SortTerm]
  /// The key of the sections, or `nil` for one nameless section.
  package var section: SectionKey?
  /// The time zone in which days, weeks, months and years begin, such as `Europe/Rome`.
  package var timeZone: String
  /// The limit on the rows of the result, or `nil` for no limit.
  package var limit: Int?
  /// The number of rows to skip at the start of the result.
  package var offset: Int
  /// The key paths whose values are shown; a change of one is an update of the row.
  ///
  /// `nil` stands for all attributes and the to-one relationships that the entity owns. `createdAt`, `changedAt`,
  /// to-many relationships and values of related objects count only if they are named here.
  package var shows: [[String]]?
  /// How the objects are grouped, or `nil` if they are the rows themselves.
  ///
  /// Then the rows are groups: ``filter`` is a condition on the objects, and ``sort``, ``section``, ``limit`` and
  /// ``offset`` are about the groups, of which they name keys and values. Sections are by the first key.
  package var grouping: Grouping?
  /// Whether everything that a row's object holds is shown, in addition to ``shows``: all attributes, all to-one links,
  /// `createdAt` and `changedAt`.
  package var showsWholeObjects = false
  /// The time at which the filter is evaluated; `nil` where the result must not depend on the time.
  ///
  /// Whatever reads a request sets it.
  package var now: Timestamp?

  /// Creates a request for the objects of an entity.
  package init(
    entity: String, filter: Filter? = nil, sort: [SortTerm] = [], section: SectionKey? = nil, timeZone: String = "UTC",
    limit: Int? = nil, offset: Int = 0, shows: [[String]]? = nil, grouping: Grouping? = nil, isExact: Bool = false
  ) {
    self.entity = entity
    self.isExact = isExact
    self.filter = filter
    self.sort = sort
    self.section = section
    self.timeZone = timeZone
    self.limit = limit
    self.offset = offset
    self.shows = shows
    self.grouping = grouping
  }
}

extension FetchRequest {
  /// The limit on the paths that ``paths(parsing:)`` reads.
  package static let maximumShownCount = 100

  /// Reads the paths of ``shows`` from the form of the command line: `name, type.name`.
  ///
  ///     request.shows = try FetchRequest.paths(parsing: ["name, type.name", "tags.name"])
  ///
  /// - Parameter texts: Texts with paths, which are separated by commas.
  /// - Returns: Each path once, in the order of the texts; `nil` without texts, so that the request shows what it shows by
  ///   default.
  /// - Throws: A ``QueryError`` that points at the wrong character, or is about more than ``maximumShownCount`` paths.
  package static func paths(parsing texts: [String]) throws(QueryError) -> [[String]]? {
    guard !texts.isEmpty else { return nil }
    var paths: [[String]] = []
    var seen: Set<[String]> = []
    for text in texts {
      for path in try ListText(text).paths() where seen.insert(path).inserted { paths.append(path) }
    }
    guard paths.count <= maximumShownCount else {
      throw QueryError("\(paths.count) paths are given; \(maximumShownCount) are allowed", in: "shown")
    }
    return paths
  }
}
