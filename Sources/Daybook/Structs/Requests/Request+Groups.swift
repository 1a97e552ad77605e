import DaybookEngine
import DaybookModel
import DaybookQuery

/// What a grouped request can show of the groups of a struct's objects; conditions and orders name the same.
///
///     Recipe.all.grouped(by: \.type.name) { ($0.count, $0.average(\.rating)) }
///       .having { $0.count > 3 }
///       .sorted(by: \.count, .descending)
///
/// Nulls count for nothing but the number of objects, and the first and the last value. Of no values the sum and the number
/// of different values are 0, and the others null. Sums and averages are exact, as those of a ``Measure``.
public struct GroupFields<Object: Fetchable>: Sendable {
  private let keys: [GroupKey]

  init(_ keys: [GroupKey]) { self.keys = keys }

  private func field<Value: AttributeValue>(
    _ function: Accumulator.Function, _ path: (any FieldReference)? = nil
  ) -> Field<Value> {
    Field(FieldPath(names: [GroupValue(function, of: path?._fieldPath.names).name]))
  }

  private func names(_ path: KeyPath<Object.Fields, some FieldReference>) -> any FieldReference {
    Object.Fields(at: .object)[keyPath: path]
  }

  /// The number of objects.
  public var count: Field<Int> { field(.count) }

  /// The sum of numbers.
  public func sum<Number: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Number>>) -> Field<Number> {
    self.field(.sum, names(field))
  }

  /// The average of numbers.
  public func average<Number: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Number>>) -> Field<Double> {
    self.field(.average, names(field))
  }

  /// The least value.
  public func min<Value: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.minimum, names(field))
  }

  /// The greatest value.
  public func max<Value: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.maximum, names(field))
  }

  /// The number of different values.
  public func distinct(_ field: KeyPath<Object.Fields, some FieldReference>) -> Field<Int> {
    self.field(.distinct, names(field))
  }

  /// The value of the first object, in the order that the request has before it is grouped.
  public func first<Value: AttributeValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.first, names(field))
  }

  /// The value of the last object, in the order that the request has before it is grouped.
  public func last<Value: AttributeValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.last, names(field))
  }

  /// A key, by its number from 0; a request that names one that it lacks is refused.
  public func key(_ number: Int) -> Field<String> {
    Field(FieldPath(names: [keys.indices.contains(number) ? keys[number].name : "key \(number)"]))
  }
}

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

/// Transforms of keys, for grouped requests.
extension Field {
  private func transformed(_ transform: SectionKey.Transform) -> Field<String> {
    Field<String>(_fieldPath, transform.rawValue)
  }

  /// The day of a time in the request's time zone: `2026-01-02`.
  public var day: Field<String> { transformed(.day) }
  /// The ISO week of a time: `2026-W01`.
  public var week: Field<String> { transformed(.week) }
  /// The month of a time: `2026-01`.
  public var month: Field<String> { transformed(.month) }
  /// The year of a time: `2026`.
  public var year: Field<String> { transformed(.year) }
  /// The first letter of a string.
  public var initial: Field<String> { transformed(.initial) }
}
