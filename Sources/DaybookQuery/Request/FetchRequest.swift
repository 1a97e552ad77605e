/// A question to a store: which objects of an entity, in which order, under which section headers.
///
///     var request = FetchRequest(entity: "Recipe")
///     request.filter = try Filter(parsing: #"name BEGINSWITH[c] "Ch" AND servings >= 4"#)
///     request.section = SectionKey(["type", "name"])
///     request.sort = [SortTerm(["name"])]
///
/// A request is a value that knows no store. It names things by the words of the model, so it can be written down, sent
/// and compared; whether these names exist is found out when it is used.
///
/// A sectioned request sorts by its section key first, whatever ``sort`` says, and the object's id is always the last
/// term, ascending: so an order is total, and a section's rows are always together.
public struct FetchRequest: Hashable, Sendable {
  /// The name of the entity.
  public var entity: String
  /// What an object must meet; nil for all objects.
  public var filter: Filter?
  /// The order of the rows, the most significant term first.
  public var sort: [SortTerm]
  /// What the sections are made by; nil for one nameless section.
  public var section: SectionKey?
  /// The identifier of the time zone in which days, weeks, months and years begin, such as `Europe/Rome`.
  public var timeZone: String
  /// The most rows that the result has; nil for no limit.
  public var limit: Int?
  /// How many rows are left out at the start of the result.
  public var offset: Int
  /// The key paths whose values count as shown: a change of one is an update of the row.
  ///
  /// Nil stands for all attributes and the to-one relationships that the entity owns. `createdAt`, `changedAt`, to-many
  /// relationships and values of related objects count only if they are named here.
  public var shows: [[String]]?

  /// A request for the objects of an entity.
  public init(
    entity: String, filter: Filter? = nil, sort: [SortTerm] = [], section: SectionKey? = nil, timeZone: String = "UTC",
    limit: Int? = nil, offset: Int = 0, shows: [[String]]? = nil
  ) {
    self.entity = entity
    self.filter = filter
    self.sort = sort
    self.section = section
    self.timeZone = timeZone
    self.limit = limit
    self.offset = offset
    self.shows = shows
  }
}
