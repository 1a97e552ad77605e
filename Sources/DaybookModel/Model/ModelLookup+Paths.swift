extension ModelLookup {
  /// The limits on the parts of a path and on the terms of an index.
  static let maximumPathLength = 16
  static let maximumTermCount = 16

  /// Resolves one level of an index's order.
  func term(_ term: SortTerm, of entity: Int) throws(Complaint) -> ResolvedTerm {
    guard term.parent == nil else {
      throw Complaint("“\(term.pathText)” sorts by place, and an index by values; leave it out")
    }
    guard term.order == nil else {
      throw Complaint("“\(term.pathText)” has an order, and an index has those of its attributes; leave the order out")
    }
    guard term.nils == nil else {
      throw Complaint(
        "“\(term.pathText)” places nil, and an index has it where the direction does; leave the place out")
    }
    let path = try path(term.path, of: entity)
    guard path.type != .data, path.type != .codable else {
      throw Complaint("“\(term.pathText)” is \(path.type.nounPhrase), which has no order; leave it out of the index")
    }
    return ResolvedTerm(path: path, isDescending: term.isDescending)
  }

  /// Resolves a path over to-one relationships to a field.
  func path(_ parts: [String], of entity: Int) throws(Complaint) -> ResolvedPath {
    guard let last = parts.last else { throw Complaint("a term is empty; name an attribute or a path to one") }
    if parts.count == 1, last == "@now" || last == "now" && attribute(last, of: entity) == nil {
      throw Complaint("“\(last)” is the present time, on which nothing that the store keeps may depend; leave it out")
    }
    guard parts.count <= ModelLookup.maximumPathLength else {
      throw Complaint("a path has \(parts.count) parts; \(ModelLookup.maximumPathLength) are allowed")
    }
    var steps: [ResolvedPath.Step] = []
    var place = entity
    for part in parts.dropLast() {
      let step = RelationshipReference(entity: place, relationship: try toOne(part, of: place))
      guard let target = self.entity(self[step].target) else {
        throw Complaint("“\(part)” leads to “\(self[step].target)”, which is not an entity")
      }
      steps.append(ResolvedPath.Step(relationship: step, target: target, isMany: false))
      place = target
    }
    let field = try field(last, of: place)
    let (type, order): (AttributeType, StringOrder)
    switch field {
    case .id, .target: (type, order) = (.uuid, .codepoint)
    case .createdAt, .changedAt: (type, order) = (.date, .codepoint)
    case .attribute(let number): (type, order) = values(of: number, of: place) ?? (.string, .codepoint)
    case .place: (type, order) = (.data, .codepoint)
    case .entity: (type, order) = (.string, .codepoint)
    }
    return ResolvedPath(start: entity, steps: steps, field: field, type: type, order: order)
  }

  /// Resolves the last part of a path: a built-in field, an attribute, or a to-one target.
  private func field(_ name: String, of entity: Int) throws(Complaint) -> ResolvedPath.Field {
    switch name {
    case "id": return .id
    case "createdAt": return .createdAt
    case "changedAt": return .changedAt
    default: break
    }
    if let attribute = attribute(name, of: entity) { return .attribute(attribute) }
    return .target(try toOne(name, of: entity))
  }

  private func toOne(_ name: String, of entity: Int) throws(Complaint) -> Int {
    let owner = model.entities[entity].name
    guard let number = relationship(name, of: entity) else {
      if attribute(name, of: entity) != nil {
        throw Complaint("“\(name)” is an attribute of \(owner); a path can only end at one")
      }
      throw Complaint("\(owner) has no attribute or relationship “\(name)”")
    }
    guard !model.entities[entity].relationships[number].isMany else {
      throw Complaint("“\(name)” of \(owner) is to-many; a path leads over to-one relationships")
    }
    return number
  }

  /// Resolves a key of declared groups: a path, and a transform behind it.
  func groupKey(_ text: String, of entity: Int) throws(Complaint) -> ResolvedGroups.Key {
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var transform = names.count > 1 ? names.last.flatMap(SectionTransform.init(rawValue:)) ?? .none : .none
    var path: ResolvedPath
    do throws(Complaint) {
      path = try self.path(transform == .none ? names : names.dropLast(), of: entity)
    } catch {
      guard let word = names.last, let field = try? self.path(names.dropLast(), of: entity),
        let complaint = SectionTransform.complaint(about: word, after: field.type)
      else { throw error }
      throw Complaint(complaint)
    }
    // `owner.year` can be a field as well as a transform; a transform cannot follow a relationship.
    if transform != .none, case .target = path.field {
      path = try self.path(names, of: entity)
      transform = .none
    }
    let complaint =
      path.type.isOrdered
      ? transform.complaint(about: path.type) : "this is \(path.type.nounPhrase), which has no order"
    if let complaint { throw Complaint("“\(text)”: \(complaint); group by another value") }
    return ResolvedGroups.Key(path: path, transform: transform)
  }

  /// Resolves a value of declared groups: `count`, or a function, a colon and a path.
  func groupValue(_ text: String, of entity: Int) throws(Complaint) -> ResolvedGroups.Value {
    guard !text.contains("=") else {
      throw Complaint("“\(text)” names a value, and declared values have no names of their own; leave “=” out")
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let function = parts.first.flatMap({ Accumulator.Function(word: $0) }) else {
      let known = Accumulator.Function.allCases.map(\.word).joined(separator: ", ")
      throw Complaint("“\(text)” is not computed over groups; there are \(known)")
    }
    guard function != .count else {
      guard parts.count == 1 else { throw Complaint("“\(text)”: count is the number of objects, and has no path") }
      return ResolvedGroups.Value(function: .count, path: nil)
    }
    guard parts.count == 2 else {
      throw Complaint("“\(text)” is of a value; write it as in \(function.word):name")
    }
    let path = try path(parts[1].split(separator: ".", omittingEmptySubsequences: false).map(String.init), of: entity)
    if let complaint = function.complaint(about: path.type) {
      throw Complaint("“\(text)”: \(complaint); show another value")
    }
    return ResolvedGroups.Value(function: function, path: path)
  }

  /// Resolves a member of a uniqueness constraint.
  func uniqueField(_ name: String, of entity: Int) throws(Complaint) -> ResolvedPath.Field {
    let declared = model.entities[entity]
    if let number = attribute(name, of: entity) {
      let attribute = declared.attributes[number]
      guard attribute.derivation == nil else {
        throw Complaint("“\(name)” is derived; only what is stored can be unique")
      }
      guard attribute.type != .codable else {
        throw Complaint("“\(name)” is codable; only values of the other types can be unique")
      }
      return .attribute(number)
    }
    guard let number = relationship(name, of: entity) else {
      throw Complaint("\(declared.name) has no attribute or to-one relationship “\(name)”")
    }
    let relationship = declared.relationships[number]
    guard !relationship.isMany else {
      throw Complaint("“\(name)” is to-many; only attributes and to-one relationships can be unique")
    }
    let reference = RelationshipReference(entity: entity, relationship: number)
    guard !isMirrored(reference) else {
      throw Complaint("“\(name)” is its own inverse, and both objects have its links; they cannot be unique")
    }
    guard isOwner(reference) else {
      let inverse = "\(relationship.target).\(relationship.inverse)"
      throw Complaint("the links of “\(name)” belong to its inverse \(inverse); they cannot be unique here")
    }
    return .target(number)
  }
}
