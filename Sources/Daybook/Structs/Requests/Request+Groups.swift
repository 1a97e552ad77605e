import DaybookEngine
import DaybookModel
import DaybookQuery

extension Request {
  /// Returns the request for groups of its objects, which have equal values of some fields.
  ///
  ///     Recipe.where { $0.servings > 0 }.grouped(by: \.type.name, \.createdAt.month) { ($0.count, $0.sum(\.servings)) }
  ///
  /// Objects without a value are a group of their own. Without keys there is one group of all objects, also of none. The
  /// present condition is one on the objects, and the present order is theirs, in which ``GroupFields/first(_:)`` and
  /// ``GroupFields/last(_:)`` are found; sections, limit and offset are for the groups.
  ///
  /// - Parameters:
  ///   - keys: One to four fields over to-one links, with or without a transform of times and strings; none for one group.
  ///   - values: Returns what is shown of each group, in a tuple.
  public func grouped<Object, each Key: FieldReference, each Value: FieldReference>(
    by keys: repeat KeyPath<Object.Fields, each Key>, showing values: (GroupFields<Object>) -> (repeat each Value)
  ) -> Request<Group<Object>> where Row == Record<Object> {
    var read: [GroupKey] = []
    repeat read.append(GroupKey(named: Object.names(of: each keys)))
    let fields = values(GroupFields(read))
    var shown: [GroupValue] = []
    repeat shown.append(GroupValue(named: (each fields)._fieldPath.names.joined(separator: ".")))
    return grouped(Grouping(by: read, showing: shown, order: fetch.sort))
  }

  /// Returns the request for groups of its objects, with the names of the model.
  ///
  ///     try request.grouped(by: ["type.name", "createdAt.month"], showing: ["count", "total = sum:servings"])
  ///
  /// - Parameters:
  ///   - keys: At most four paths over to-one links, with or without a transform: `day`, `week`, `month` or `year` of times,
  ///     `initial` of strings.
  ///   - values: What is shown of each group: `count`, and `sum`, `average`, `min`, `max`, `distinct`, `first` or `last`
  ///     with a path; a name and `=` before it name it otherwise.
  /// - Throws: A ``QueryError`` that points at the wrong character.
  public func grouped(by keys: [String], showing values: [String] = []) throws(QueryError) -> Request<Group<Row>> {
    var grouping = try Grouping(by: keys, showing: values)
    grouping.order = fetch.sort
    return grouped(grouping)
  }

  private func grouped<Object>(_ grouping: Grouping) -> Request<Group<Object>> {
    var fetch = fetch
    (fetch.grouping, fetch.sort, fetch.shows) = (grouping, [], nil)
    return Request<Group<Object>>(fetch)
  }

  /// Returns the request restricted to groups that also match a condition on their keys and shown values.
  public func having<Object: Fetchable>(
    _ condition: (GroupFields<Object>) -> some FilterConvertible
  ) -> Request where Row == Group<Object> {
    having(condition(GroupFields(fetch.grouping?.keys ?? []))._filter)
  }

  /// Returns the request restricted to groups that also match a condition in text, such as `sum:servings > 40`.
  ///
  /// The names of values stand as they are, or between backquotes.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  public func having<Object>(_ condition: String) throws(QueryError) -> Request where Row == Group<Object> {
    having(try Filter(parsingHaving: condition))
  }

  private func having(_ filter: Filter) -> Request {
    var copy = self
    copy.fetch.grouping?.having = fetch.grouping?.having.map { $0 && filter } ?? filter
    return copy
  }

  /// Returns the request with sections of groups, by their first key.
  ///
  /// - Parameters:
  ///   - direction: The direction of the sections.
  ///   - order: Names of sections in the desired order; unlisted sections follow.
  public func sectioned<Object>(
    _ direction: SortDirection = .ascending, order: [String]? = nil
  ) -> Request where Row == Group<Object> {
    var copy = self
    copy.fetch.section = SectionKey(
      path: fetch.grouping?.keys.first?.path ?? [], transform: fetch.grouping?.keys.first?.transform ?? .none,
      direction: direction, order: order)
    return copy
  }

  /// Returns the groups sorted by a shown value or a key, after their present sort values; keys are the last ones.
  public func sorted<Object: Fetchable, Value: AttributeValue>(
    by field: (GroupFields<Object>) -> Field<Value>, _ direction: SortDirection = .ascending, nils: EndPlacement? = nil
  ) -> Request where Row == Group<Object> {
    var copy = self
    let names = field(GroupFields(fetch.grouping?.keys ?? []))._fieldPath.names
    copy.fetch.sort.append(SortTerm(path: [names.joined(separator: ".")], direction, nils: nils))
    return copy
  }
}
