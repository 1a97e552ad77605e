import DaybookEngine
import DaybookModel
import DaybookQuery

/// A query of a store: the objects of an entity, their order, and their sections.
///
///     let request = Recipe.where { $0.type.name == "Dessert" && $0.servings > 4 }
///       .sorted(by: \.name)
///       .sectioned(by: \.type.name)
///     for section in try store.fetch(request).sections { ... }
///
/// The same with the names of the model, for untyped rows:
///
///     var request = Request(entity: "Recipe")
///     request.filter = try Filter(parsing: #"type.name == "Dessert" AND servings > 4"#)
///     request.sort = [SortTerm(path: ["name"])]
///     request.section = SectionKey(path: ["type", "name"])
///
/// A request is a value independent of a store. It refers to names of the model, so it can be kept and compared; the
/// store checks the names when it is used. What is made of it follows from its rows: ``Results`` of a fetch,
/// ``LiveResults``, a ``Change`` between two positions.
///
/// A sectioned request sorts by its section key first, whatever ``sort`` contains, and the object's id is always the
/// last term, ascending: so an order is total, and a section's rows are always together.
public struct Request<Row: ResultRow>: Hashable, Sendable {
  /// What is asked for, without the type of the rows.
  package var fetch: FetchRequest
  /// The relationships whose targets are read together with the rows.
  package var prefetched: [[String]] = []

  package init(_ fetch: FetchRequest) { self.fetch = fetch }
}

extension Request where Row == StoredObject {
  /// Makes a request for the objects of an entity, as untyped rows.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - filter: The condition on the objects, or `nil` for all objects.
  ///   - sort: The order of the rows, the most significant term first.
  ///   - section: The key of the sections, or `nil` for one nameless section.
  ///   - timeZone: The time zone in which days, weeks, months and years begin, such as `Europe/Rome`.
  ///   - limit: The limit on the rows of the result, or `nil` for no limit.
  ///   - offset: The number of rows to skip at the start of the result.
  ///   - shows: The key paths whose values are shown; a change of one is an update of the row. `nil` stands for all
  ///     attributes and the to-one relationships that the entity owns. `createdAt`, `changedAt`, to-many relationships
  ///     and values of related objects count only if they are named here.
  public init(
    entity: String, filter: Filter? = nil, sort: [SortTerm] = [], section: SectionKey? = nil, timeZone: String = "UTC",
    limit: Int? = nil, offset: Int = 0, shows: [[String]]? = nil
  ) {
    fetch = FetchRequest(
      entity: entity, filter: filter, sort: sort, section: section, timeZone: timeZone, limit: limit, offset: offset,
      shows: shows)
  }

  /// Reads the paths of `shows` from the form of the command line: `name, type.name`.
  ///
  ///     request.shows = try Request.paths(parsing: ["name, type.name", "tags.name"])
  ///
  /// - Parameter texts: Texts with paths, which are separated by commas; at most 100 paths.
  /// - Returns: Each path once, in the order of the texts; `nil` without texts, so that the request shows what it shows by
  ///   default.
  /// - Throws: A ``QueryError`` that points at the wrong character, or is about too many paths.
  package static func paths(parsing texts: [String]) throws(QueryError) -> [[String]]? {
    try FetchRequest.paths(parsing: texts)
  }
}

extension Request {
  /// Makes a request from the same one with rows of another kind.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if it is for another entity than the rows are of.
  public init<Other>(_ request: Request<Other>) throws {
    guard Row._entityName == nil || Row._entityName == request.entity else {
      throw StoreError(.badRequest, "The request is for \(request.entity), and not for \(Row._entityName ?? "").")
    }
    (fetch, prefetched) = (request.fetch, request.prefetched)
  }

  /// The same request with untyped rows.
  public var untyped: Request<StoredObject> {
    var request = fetch.untyped
    request.prefetched = prefetched
    return request
  }

  /// The name of the entity.
  public var entity: String { fetch.entity }

  /// Whether objects of the entity's descendants are left out.
  public var isExact: Bool {
    get { fetch.isExact }
    set { fetch.isExact = newValue }
  }

  /// Returns the same request without the objects of the entity's descendants.
  ///
  ///     store.fetch(Vehicle.all.exactly())   // vehicles that are neither cars nor trucks
  public func exactly() -> Request {
    var request = self
    request.isExact = true
    return request
  }

  /// The condition on the objects, or `nil` for all objects.
  public var filter: Filter? {
    get { fetch.filter }
    set { fetch.filter = newValue }
  }

  /// The order of the rows, the most significant term first.
  public var sort: [SortTerm] {
    get { fetch.sort }
    set { fetch.sort = newValue }
  }

  /// The key of the sections, or `nil` for one nameless section.
  public var section: SectionKey? {
    get { fetch.section }
    set { fetch.section = newValue }
  }

  package var timeZone: String {
    get { fetch.timeZone }
    set { fetch.timeZone = newValue }
  }

  package var limit: Int? {
    get { fetch.limit }
    set { fetch.limit = newValue }
  }

  package var offset: Int {
    get { fetch.offset }
    set { fetch.offset = newValue }
  }

  package var shows: [[String]]? {
    get { fetch.shows }
    set { fetch.shows = newValue }
  }
}
