import DaybookModel

/// Resolves key paths in a model.
struct PathFinder {
  let model: ResolvedModel
  /// The number of the entity at which paths start.
  let entity: Int
  /// The number of names before each path: in the paths of the `WHERE` around it.
  var outerCount = 0

  /// The limit on the names of a path and of the paths before each `WHERE` around it, together.
  static let maximumLength = 16

  /// A name that refers to nothing: its index in the path, and the fault.
  struct Fault: Error {
    let index: Int
    let message: String
  }

  func path(_ names: [String]) throws(Fault) -> ResolvedPath {
    guard !names.isEmpty else { throw Fault(index: 0, message: "a key path is expected here") }
    if model.isOfGroups { return try column(names) }
    let limit = max(0, PathFinder.maximumLength - outerCount)
    guard names.count <= limit else {
      let others = outerCount > 0 ? ", and the WHERE around it \(outerCount)" : ""
      let message = "a key path has \(names.count) names\(others); \(PathFinder.maximumLength) are allowed"
      throw Fault(index: limit, message: message)
    }
    var steps: [ResolvedPath.Step] = []
    var place = entity
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      switch try find(name, at: index, of: place) {
      case .field(let field, let type, let order):
        guard isLast else {
          throw Fault(index: index + 1, message: "“\(name)” is \(type.nounPhrase), so nothing can follow it")
        }
        return path(steps, field, type, order)
      case .relationship(let step):
        steps.append(step)
        place = step.target
      }
    }
    return path(steps, .id, .uuid, .codepoint)
  }

  /// Returns the path to a key or a value of groups, whose name may have dots.
  private func column(_ names: [String]) throws(Fault) -> ResolvedPath {
    let (name, columns) = (names.joined(separator: "."), model.entities[entity])
    if let number = columns.attribute(named: name) { return columns.path(to: .attribute(number)) }
    let known = columns.attributes.map(\.name).filter { !$0.hasPrefix(ResolvedModel.hiddenPrefix) }
    let advice = Suggestion.text(for: name, among: known)
    throw Fault(
      index: 0,
      message: "“\(name)” is neither shown of the groups nor a key of them\(advice.isEmpty ? "; show it" : advice)")
  }

  private func path(
    _ steps: [ResolvedPath.Step], _ field: ResolvedPath.Field, _ type: AttributeType, _ order: StringOrder
  ) -> ResolvedPath {
    ResolvedPath(start: entity, steps: steps, field: field, type: type, order: order).canonical
  }

  private enum Finding {
    case field(ResolvedPath.Field, AttributeType, StringOrder)
    case relationship(ResolvedPath.Step)
  }

  private func find(_ name: String, at index: Int, of place: Int) throws(Fault) -> Finding {
    let entity = model.entities[place]
    switch name {
    case "id": return .field(.id, .uuid, .codepoint)
    case "createdAt": return .field(.createdAt, .date, .codepoint)
    case "changedAt": return .field(.changedAt, .date, .codepoint)
    case ModelNames.entityWord: return .field(.entity, .string, .codepoint)
    default: break
    }
    if let number = entity.attribute(named: name) {
      let attribute = entity.attributes[number]
      return .field(.attribute(number), attribute.type, attribute.order)
    }
    if let number = entity.relationship(named: name) {
      let relationship = entity.relationships[number]
      let reference = RelationshipReference(entity: relationship.entity, relationship: number)
      return .relationship(
        ResolvedPath.Step(relationship: reference, target: relationship.target, isMany: relationship.isMany))
    }
    if ModelNames.isEntity(name) { return .field(.entity, .string, .codepoint) }
    let problem = "\(entity.name) has no attribute or relationship “\(name)”"
    if let owner = descendant(of: entity, having: name) {
      throw Fault(index: index, message: "\(problem); \(owner) has it, so request its objects")
    }
    throw Fault(index: index, message: problem + Suggestion.text(for: name, among: entity.fieldNames))
  }

  /// Returns the name of an entity below another one that declares a field, or `nil` without such an entity.
  private func descendant(of entity: ResolvedEntity, having name: String) -> String? {
    entity.descendants.map { model.entities[$0] }.first {
      !$0.isRetired && ($0.attribute(named: name) != nil || $0.relationship(named: name) != nil)
    }?.name
  }
}

private extension ResolvedEntity {
  /// The names that a key path can use: attributes, relationships and the built-in fields.
  var fieldNames: [String] {
    attributes.filter { !$0.isRetired }.map(\.name) + relationships.filter(\.isDeclared).map(\.name)
      + ModelNames.builtIn
  }
}
