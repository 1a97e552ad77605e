import DaybookModel

/// The grouping of a request, resolved in a model.
///
/// A group is read as an object of an entity of its own (``model``): its keys and values are attributes. So conditions on
/// groups, their order and their sections are the ones of a request for objects of that entity.
package final class ResolvedGrouping: Sendable {
  /// The request for the objects, in their own order.
  package let objects: ResolvedRequest
  package let keys: [Key]
  package let values: [Value]
  /// The model with the entity of the groups, whose number is 0.
  package let model: ResolvedModel
  /// What identities are made of beside keys, so that groups of different groupings differ.
  package let identity: [UInt8]

  /// A key of the objects, and the attributes of a group that have it.
  package struct Key: Sendable {
    package let path: ResolvedPath
    /// The transform of the value, or `nil` for the value itself.
    package let section: ResolvedSection?
    /// The tag of the attribute.
    package let tag: Tag
    /// The tag of the attribute by which groups are sorted, if it is another one: the number of a day, a week, a month or
    /// a year.
    package let orderTag: Tag?

    /// Returns the value of the key as groups show it: the name of a day, or the value itself.
    package func shown(_ value: DaybookModel.Value) -> DaybookModel.Value {
      guard let section, !value.isNull else { return value }
      return .string(section.name(of: value))
    }
  }

  /// A value that is computed over the objects of a group, and the attribute that has it.
  package struct Value: Sendable {
    package let function: Accumulator.Function
    /// The path to the values; `nil` for the number of objects.
    package let path: ResolvedPath?
    package let name: String
    package let tag: Tag
  }

  /// The names and the types of the keys and then of the values.
  package var columns: [(name: String, type: AttributeType)] {
    model.entities[0].attributes.prefix(keys.count + values.count).map { attribute in
      let isHidden = attribute.name.hasPrefix(ResolvedModel.hiddenPrefix)
      return (isHidden ? String(attribute.name.dropFirst()) : attribute.name, attribute.type)
    }
  }

  /// Whether objects have places, by which a first or a last value is chosen.
  package var needsPlaces: Bool { values.contains { $0.function == .first || $0.function == .last } }

  /// - Throws: The wrong part and the reason.
  init(_ grouping: Grouping, of request: FetchRequest, in model: ResolvedModel) throws(QueryError) {
    guard grouping.keys.count <= Grouping.maximumKeyCount else {
      throw grouping.keys[Grouping.maximumKeyCount].place.error(
        "\(grouping.keys.count) keys are given; \(Grouping.maximumKeyCount) are allowed", in: "group")
    }
    guard grouping.values.count <= Grouping.maximumValueCount else {
      throw QueryError(
        "\(grouping.values.count) values are shown; \(Grouping.maximumValueCount) are allowed", in: "show")
    }
    guard request.shows?.isEmpty ?? true else {
      throw QueryError("a group shows the values of its grouping, and no paths", in: "shown")
    }
    // A word behind a link may be a transform or a field there; a path without a meaning is left out.
    let keyPaths = grouping.keys.flatMap { key in
      key.transform == .none ? [key.path] : [key.path, key.path + [key.transform.rawValue]]
    }
    let paths = keyPaths + grouping.values.compactMap(\.path)
    do {
      objects = try ResolvedRequest(
        FetchRequest(
          entity: request.entity, filter: request.filter, sort: grouping.order, timeZone: request.timeZone, shows: []
        ).at(request.now), in: model, alsoReading: paths)
    } catch {
      // The objects are sorted by the order of the grouping.
      guard let part = error.part, part.hasPrefix("sort") else { throw error }
      throw QueryError(error, in: "order\(part.dropFirst(4))")
    }
    var builder = GroupEntityBuilder(
      resolver: RequestResolver(request: objects.request, finder: PathFinder(model: model, entity: objects.entity)))
    try builder.add(grouping)
    (keys, values) = (builder.keys, builder.values)
    self.model = ResolvedModel(ofGroupsWith: builder.attributes, keyCount: keys.count)
    var identity: [UInt8] = []
    for name in [request.entity] + grouping.keys.map(\.name) + grouping.values.map(\.name) { identity.appendText(name) }
    self.identity = identity
  }

  /// Returns the request for the groups as objects of their entity.
  func request(for request: FetchRequest, _ grouping: Grouping) throws(QueryError) -> FetchRequest {
    let names = model.entities[0].attributes.map(\.name)
    var terms = request.sort.map { term in
      guard let key = zip(grouping.keys, keys).first(where: { $0.0.name == term.path.joined(separator: ".") })?.1,
        let tag = key.orderTag, let number = model.entities[0].attribute(tagged: tag),
        let named = model.entities[0].attribute(tagged: key.tag), names[named] == term.path.joined(separator: ".")
      else { return term }
      return SortTerm(path: [names[number]], term.direction, nils: term.nils)
    }
    for key in keys {
      // The key is the last term, so that the order of groups does not depend on their identities.
      let tag = key.orderTag ?? key.tag
      if let number = model.entities[0].attribute(tagged: tag) { terms.append(SortTerm(path: [names[number]])) }
    }
    return FetchRequest(
      entity: ResolvedModel.groupEntity, filter: grouping.having, sort: terms,
      section: try section(of: request, grouping, names), timeZone: request.timeZone, limit: request.limit,
      offset: request.offset, shows: request.shows)
  }

  /// Returns the key of the sections: the first key of the groups.
  private func section(
    of request: FetchRequest, _ grouping: Grouping, _ names: [String]
  ) throws(QueryError) -> SectionKey? {
    guard var section = request.section else { return nil }
    guard let key = grouping.keys.first, key.path == section.path, key.transform == section.transform else {
      let advice = grouping.keys.first.map { "its first key is “\($0.name)”" } ?? "it has no key"
      throw QueryError("groups have sections by their first key; \(advice)", in: "section “\(section)”")
    }
    section.path = [names[0]]
    // The initial of an initial is itself.
    section.transform = keys[0].section?.transform == .initial ? .initial : .none
    return section
  }
}

/// Makes the entity of groups.
private struct GroupEntityBuilder {
  let resolver: RequestResolver
  var attributes: [Attribute] = []
  var keys: [ResolvedGrouping.Key] = []
  var values: [ResolvedGrouping.Value] = []

  /// Tags follow from the order of the attributes: the keys, the values, and the attributes for order.
  private var nextTag: UInt16 = ResolvedModel.firstGroupAttributeTag

  init(resolver: RequestResolver) { self.resolver = resolver }

  private mutating func addAttribute(_ name: String, _ type: AttributeType, _ order: StringOrder = .codepoint) -> Tag {
    attributes.append(Attribute(name: name, type: type, isOptional: true, order: order))
    defer { nextTag += 1 }
    return Tag(nextTag)
  }

  mutating func add(_ grouping: Grouping) throws(QueryError) {
    var names: Set<String> = []
    for value in grouping.values where !names.insert(value.name).inserted {
      throw value.place.error(
        "two values are named “\(value.name)”; name one of them, as in “other = \(value.function.word)…”",
        in: "show “\(value.name)”")
    }
    let clock = try resolver.clock()
    var sections: [ResolvedSection] = []
    for key in grouping.keys { sections.append(try section(of: key, by: clock, after: sections)) }
    var made: [(section: ResolvedSection, tag: Tag)] = []
    for (key, section) in zip(grouping.keys, sections) {
      let isTransformed = section.transform != .none
      // A value of the same name hides the key, which no text can name then.
      let name = names.contains(key.name) ? GroupEntityBuilder.hidden(key.name) : key.name
      let tag = addAttribute(
        name, isTransformed ? .string : section.path.type, isTransformed ? section.order : section.path.order)
      made.append((section, tag))
    }
    for value in grouping.values { values.append(try resolved(value)) }
    for (key, part) in zip(grouping.keys, made) {
      let isTime = part.section.type == .integer && part.section.transform != .none
      keys.append(
        ResolvedGrouping.Key(
          path: part.section.path, section: part.section.transform == .none ? nil : part.section, tag: part.tag,
          orderTag: isTime ? addAttribute(GroupEntityBuilder.hidden("order of \(key.name)"), .integer) : nil))
    }
  }

  /// Returns a name that no text can have.
  private static func hidden(_ name: String) -> String { ResolvedModel.hiddenPrefix + name }

  private func section(
    of key: GroupKey, by clock: ZoneClock, after former: [ResolvedSection]
  ) throws(QueryError) -> ResolvedSection {
    let part = "group “\(key.name)”"
    let resolved: ResolvedSection
    do {
      resolved = try resolver.section(SectionKey(path: key.path, transform: key.transform), by: clock, in: part)
    } catch {
      throw key.place.error(error.message, in: part)
    }
    for other in former where other.path == resolved.path && other.transform == resolved.transform {
      throw key.place.error("this key is given twice", in: part)
    }
    return resolved
  }

  private mutating func resolved(_ value: GroupValue) throws(QueryError) -> ResolvedGrouping.Value {
    guard let names = value.path else {
      let tag = addAttribute(value.name, .integer)
      return ResolvedGrouping.Value(function: .count, path: nil, name: value.name, tag: tag)
    }
    let part = "show “\(value.name)”"
    let path: ResolvedPath
    do {
      path = try resolver.finder.path(names)
    } catch {
      throw value.place.error(error.message, in: part)
    }
    if path.isMany {
      throw value.place.error(
        "“\(names.joined(separator: "."))” leads to many values; name a path over to-one relationships, or a derived "
          + "attribute", in: part)
    }
    let type: AttributeType
    var order = StringOrder.codepoint
    switch value.function {
    case .count: preconditionFailure("The number of objects has no path.")
    case .distinct: type = .integer
    case .sum, .average:
      guard path.type.isNumeric else {
        throw value.place.error("this is \(path.type.nounPhrase), which cannot be added", in: part)
      }
      type = value.function == .average && path.type == .integer ? .double : path.type
    case .minimum, .maximum:
      guard path.type.isOrdered else {
        throw value.place.error("this is \(path.type.nounPhrase), which has no order", in: part)
      }
      (type, order) = (path.type, path.order)
    case .first, .last: (type, order) = (path.type, path.order)
    }
    let tag = addAttribute(value.name, type, order)
    return ResolvedGrouping.Value(function: value.function, path: path, name: value.name, tag: tag)
  }
}
