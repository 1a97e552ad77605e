import DaybookEngine
import DaybookModel
import DaybookQuery

/// Requests for records, written with the fields of a struct.
///
/// They are only another way to write a request: each equals the one that is written with the filter's text and the
/// names of the fields.
extension Request {
  /// Makes a request for all objects of the entity.
  package init<Object>() where Row == Record<Object> { fetch = FetchRequest(entity: Object.entityName) }

  private func with(_ change: (inout Request) -> Void) -> Request {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns the request restricted to objects that also match a condition.
  public func `where`<Object>(
    _ condition: (Object.Fields) -> some FilterConvertible
  ) -> Request where Row == Record<Object> {
    self.where(condition(Object.Fields(at: .parameter()))._filter)
  }

  /// Returns the request restricted to objects that also match a filter.
  ///
  ///     Recipe.all.where(try Filter(parsing: text))
  public func `where`(_ filter: Filter) -> Request {
    with { $0.fetch.filter = $0.fetch.filter.map { $0 && filter } ?? filter }
  }

  /// Returns the request sorted by a value, after its present sort values.
  ///
  ///     AuthorMonth.all.sorted(by: \.commits, .descending)
  ///
  /// - Parameters:
  ///   - field: The value.
  ///   - direction: The direction of the order.
  ///   - order: The order of strings, or `nil` for the attribute's own.
  ///   - nils: Where rows without a value come, or `nil` for the end that the direction gives: first, or last if the
  ///     greatest value comes first.
  public func sorted<Object, Value: ScalarValue>(
    by field: KeyPath<Object.Fields, Field<Value>>, _ direction: SortDirection = .ascending,
    order: StringOrder? = nil, nils: EndPlacement? = nil
  ) -> Request where Row == Record<Object> {
    with { $0.fetch.sort.append(SortTerm(path: Object.names(of: field), direction, order: order, nils: nils)) }
  }

  /// Returns the request sorted by the objects' places in an ordered relationship.
  ///
  ///     Ingredient.where { $0.recipe == cake }.sorted(byPlaceIn: \.recipe, of: cake)
  ///
  /// - Parameters:
  ///   - relationship: The relationship of this entity whose inverse is ordered.
  ///   - parent: The object that has the ordered targets. Objects that are not among the targets come first.
  ///   - direction: The direction of the order.
  public func sorted<Object, Relationship: RelationshipField>(
    byPlaceIn relationship: KeyPath<Object.Fields, Relationship>, of parent: EntityID<Relationship.Target>,
    _ direction: SortDirection = .ascending
  ) -> Request where Row == Record<Object> {
    let name = Object.names(of: relationship).joined(separator: ".")
    return with { $0.fetch.sort.append(SortTerm(placeIn: name, of: parent.objectID, direction)) }
  }

  /// Returns the request with sections, by which the rows are sorted first.
  ///
  ///     Event.all.sectioned(by: \.startsAt, .day, direction: .descending)
  ///
  /// - Parameters:
  ///   - field: The field whose value determines the section of a row.
  ///   - transform: The transformation of the value into the section's key.
  ///   - direction: The direction of the sections.
  ///   - order: Names of sections in the desired order; unlisted sections follow.
  ///   - nils: Where the section of rows without a value comes among the unlisted ones, or `nil` for the end that the
  ///     direction gives.
  ///   - others: For initials, where the section `#` comes among the unlisted ones, or `nil` for the end that the
  ///     direction gives.
  public func sectioned<Object, Value: ScalarValue>(
    by field: KeyPath<Object.Fields, Field<Value>>, _ transform: SectionKey.Transform = .none,
    direction: SortDirection = .ascending, order: [String]? = nil, nils: EndPlacement? = nil,
    others: EndPlacement? = nil
  ) -> Request where Row == Record<Object> {
    with {
      $0.fetch.section = SectionKey(
        path: Object.names(of: field), transform: transform, direction: direction, order: order, nils: nils,
        others: others)
    }
  }
}

extension Request {
  /// Returns the request limited to a number of rows, after skipping some.
  public func limited(to count: Int, offset: Int = 0) -> Request {
    with {
      $0.fetch.limit = count
      $0.fetch.offset = offset
    }
  }

  /// Returns the request with a time zone such as `Europe/Rome`.
  ///
  /// Days, weeks, months and years begin as in this time zone.
  public func inTimeZone(_ identifier: String) -> Request {
    with { $0.fetch.timeZone = identifier }
  }

  /// Names the fields whose changes count as updates of a row.
  ///
  /// By default, these are all attributes and the row's own to-one links. ``ObservedResults`` hold whole rows, so all
  /// values of a row count there, and the fields of related objects that are named here.
  ///
  ///     Recipe.all.showing(\.name, \.type.name)
  public func showing<Object, each Shown: FieldReference>(
    _ fields: repeat KeyPath<Object.Fields, each Shown>
  ) -> Request where Row == Record<Object> {
    var shown: [[String]] = []
    repeat shown.append(Object.names(of: each fields))
    return with { $0.fetch.shows = shown }
  }

  /// Returns the request with relationships whose targets are read together with the rows.
  ///
  /// Each target is read once, and reading it from a row does not access the store.
  ///
  ///     let recipes = try store.fetch(Recipe.all.prefetching(\.type, \.ingredients))
  ///     try recipes.rows[0].related(\.type)?.name
  ///
  /// - Complexity: Adds O(*m* log *n*) for *m* links to a fetch.
  public func prefetching<Object, each Related: RelationshipField>(
    _ relationships: repeat KeyPath<Object.Fields, each Related>
  ) -> Request where Row == Record<Object> {
    var paths = prefetched
    repeat paths.append(Object.names(of: each relationships))
    return with { $0.prefetched = paths }
  }
}
