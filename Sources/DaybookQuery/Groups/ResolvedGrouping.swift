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
  /// The kept groups that have the same objects and keys, if the model declares any.
  package let kept: Kept?
  /// What identities are made of beside keys; see ``identity(of:in:)``.
  package let identity: [UInt8]

  /// Declared groups with the objects and keys of a request.
  package struct Kept: Sendable {
    package let groups: ResolvedGroups
    /// The number of each value of the request among the declared ones.
    package let numbers: [Int]
    /// The model by which the rows of the kept groups are read as they are; `nil` if they show the values in another
    /// order than the request.
    ///
    /// It has the entity of ``ResolvedGrouping/model`` with other tags, and the index by which the groups are in order of
    /// their keys.
    package let model: ResolvedModel?
  }

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

    init(_ section: ResolvedSection, _ tags: GroupRowTags, _ number: Int) {
      let isTransformed = section.transform != .none
      path = section.path
      self.section = isTransformed ? section : nil
      tag = tags.key(number)
      orderTag = isTransformed && section.type == .integer ? tags.order(number) : nil
    }

    /// Makes a key of declared groups, in UTC.
    package init(_ key: ResolvedGroups.Key, _ tags: GroupRowTags, _ number: Int) {
      self.init(ResolvedSection(key), tags, number)
    }

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

  /// The model by which the rows of the groups are read: of kept ones where they show what the request does.
  package var rowModel: ResolvedModel { kept?.model ?? model }

  /// The names and the types of the keys and then of the values.
  package var columns: [(name: String, type: AttributeType)] {
    // Their tags rise in the order of the keys and the values.
    model.entities[0].attributes.prefix(keys.count + values.count).map { attribute in
      let isHidden = attribute.name.hasPrefix(ResolvedModel.hiddenPrefix)
      return (isHidden ? String(attribute.name.dropFirst()) : attribute.name, attribute.type)
    }
  }

  /// Whether objects have places, by which a first or a last value is chosen.
  package var needsPlaces: Bool { values.contains { $0.function == .first || $0.function == .last } }

  /// Whether the values follow from each value of the objects, and not from counts and sums alone.
  package var keepsValues: Bool { values.contains { ![.count, .sum, .average].contains($0.function) } }

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
          entity: request.entity, filter: request.filter, sort: grouping.order, timeZone: request.timeZone, shows: [],
          isExact: request.isExact
        ).at(request.now), in: model, alsoReading: paths)
    } catch {
      // The objects are sorted by the order of the grouping.
      guard let part = error.part, part.hasPrefix("sort") else { throw error }
      throw QueryError(error, in: "order\(part.dropFirst(4))")
    }
    var builder = GroupEntityBuilder(
      resolver: RequestResolver(request: objects.request, finder: PathFinder(model: model, entity: objects.entity)))
    let parts = try builder.parts(of: grouping)
    var keptBuilder = builder
    kept = parts.kept(in: model.entities[objects.entity], objects).map { groups, numbers in
      guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else {
        return Kept(groups: groups, numbers: numbers, model: nil)
      }
      keptBuilder.add(parts, grouping, numbers: numbers, of: groups.values.count)
      return Kept(
        groups: groups, numbers: numbers,
        model: ResolvedModel(
          ofGroupsWith: keptBuilder.attributes, keyCount: groups.keys.count, kept: groups,
          orderedBy: keptBuilder.order))
    }
    builder.add(parts, grouping, numbers: Array(grouping.values.indices), of: grouping.values.count)
    (keys, values) = (builder.keys, builder.values)
    self.model = ResolvedModel(ofGroupsWith: builder.attributes, keyCount: keys.count)
    identity = ResolvedGrouping.identity(
      of: parts.sections.map { ResolvedGroups.Key(path: $0.path, transform: $0.transform) },
      entity: model.entities[objects.entity], in: model)
  }

  /// Returns what the identities of groups are made of beside the values of their keys: the tags of what leads to these.
  ///
  /// So an identity is the same in each process, and stays when a part of the model is renamed.
  package static func identity(
    of keys: [ResolvedGroups.Key], entity: ResolvedEntity, in model: ResolvedModel
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(UInt64(entity.tag.number))
    for key in keys {
      for step in key.path.steps { bytes.appendVarint(UInt64(model[step.relationship].tag.number)) }
      let end = model.entities[key.path.end]
      switch key.path.field {
      case .attribute(let number): bytes.appendVarint(UInt64(end.attributes[number].tag.number))
      case .target(let number), .place(let number, _):
        bytes.appendVarint(UInt64(end.relationships[number].tag.number))
      // No tag is 0.
      case .id, .createdAt, .changedAt, .entity: bytes.appendText("\0\(key.path.field)")
      }
      bytes.appendText(key.transform.rawValue)
    }
    return bytes
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

/// The keys and the values of a grouping, resolved.
private struct GroupParts {
  let sections: [ResolvedSection]
  let values: [ResolvedGroups.Value]

  /// Returns the kept groups of an entity that have the same objects and keys, and all values, with their numbers there.
  func kept(in entity: ResolvedEntity, _ objects: ResolvedRequest) -> (groups: ResolvedGroups, numbers: [Int])? {
    let choosesByOrder = values.contains { $0.function == .first || $0.function == .last }
    guard objects.filter == nil, !choosesByOrder || objects.terms.isEmpty,
      sections.allSatisfy({ $0.isTheSameInUTC })
    else { return nil }
    let keys = sections.map { ResolvedGroups.Key(path: $0.path, transform: $0.transform) }
    for groups in entity.ownGroups where groups.keys == keys {
      let numbers = values.compactMap { groups.values.firstIndex(of: $0) }
      if numbers.count == values.count { return (groups, numbers) }
    }
    return nil
  }
}

/// Makes the entity of groups.
private struct GroupEntityBuilder {
  let resolver: RequestResolver
  var attributes: [(declaration: Attribute, tag: Tag)] = []
  var keys: [ResolvedGrouping.Key] = []
  var values: [ResolvedGrouping.Value] = []
  /// The names of the attributes by which the groups are in order of their keys.
  var order: [String] = []

  init(resolver: RequestResolver) { self.resolver = resolver }

  /// Resolves the keys and the values.
  func parts(of grouping: Grouping) throws(QueryError) -> GroupParts {
    var names: Set<String> = []
    for value in grouping.values where !names.insert(value.name).inserted {
      throw value.place.error(
        "two values are named “\(value.name)”; name one of them, as in “other = \(value.function.word)…”",
        in: "show “\(value.name)”")
    }
    let clock = try resolver.clock()
    var sections: [ResolvedSection] = []
    for key in grouping.keys { sections.append(try section(of: key, by: clock, after: sections)) }
    var values: [ResolvedGroups.Value] = []
    for value in grouping.values { values.append(try resolved(value)) }
    return GroupParts(sections: sections, values: values)
  }

  /// Adds the attributes: the keys, the values, and what gives an order.
  ///
  /// - Parameters:
  ///   - numbers: The number of each value among the fields of a row.
  ///   - count: The number of these fields.
  mutating func add(_ parts: GroupParts, _ grouping: Grouping, numbers: [Int], of count: Int) {
    let tags = GroupRowTags(keyCount: grouping.keys.count, valueCount: count)
    let names = Set(grouping.values.map(\.name))
    for (number, (key, section)) in zip(grouping.keys, parts.sections).enumerated() {
      // A value of the same name hides the key, which no text can name then.
      let name = names.contains(key.name) ? GroupEntityBuilder.hidden(key.name) : key.name
      let isTransformed = section.transform != .none
      add(
        name, isTransformed ? .string : section.path.type, isTransformed ? section.order : section.path.order,
        tags.key(number))
      order.append(name)
    }
    for (number, (written, value)) in zip(grouping.values, parts.values).enumerated() {
      let tag = tags.value(numbers[number])
      let type = value.path.map { value.function.result(of: $0.type) } ?? .integer
      // The number of different values has no order of strings.
      add(written.name, type, value.function == .distinct ? .codepoint : value.path?.order ?? .codepoint, tag)
      values.append(
        ResolvedGrouping.Value(function: value.function, path: value.path, name: written.name, tag: tag))
    }
    for (number, section) in parts.sections.enumerated() {
      let key = ResolvedGrouping.Key(section, tags, number)
      if let tag = key.orderTag {
        order[number] = ResolvedModel.hiddenOrderPrefix + grouping.keys[number].name
        add(order[number], .integer, .codepoint, tag)
      }
      keys.append(key)
    }
  }

  private mutating func add(_ name: String, _ type: AttributeType, _ order: StringOrder, _ tag: Tag) {
    attributes.append((Attribute(name: name, type: type, isOptional: true, order: order), tag))
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

  private func resolved(_ value: GroupValue) throws(QueryError) -> ResolvedGroups.Value {
    guard let names = value.path else { return ResolvedGroups.Value(function: .count, path: nil) }
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
    if let complaint = value.function.complaint(about: path.type) { throw value.place.error(complaint, in: part) }
    return ResolvedGroups.Value(function: value.function, path: path)
  }
}
