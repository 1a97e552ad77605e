/// Writes the declarations of a model as JSON, the inverse of ``ModelReader``.
///
/// Members with their default value are left out.
enum ModelWriter {
  /// Returns the form of a model file.
  static func json(of model: Model) -> JSONValue {
    var members: JSONMembers = []
    members.add("entities", .array(model.entities.map { .object(ModelWriter.members(of: $0)) }))
    members.add("events", list: model.events.map { .object(ModelWriter.members(of: $0)) })
    return .object(members)
  }

  private static func members(of event: EventType) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", event.name)
    members.add("renamedFrom", event.renamedFrom)
    members.add("about", event.about)
    members.add("attributes", list: event.attributes.map { .object(ModelWriter.members(of: $0)) })
    return members
  }

  private static func members(of entity: Entity) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", entity.name)
    members.add("renamedFrom", entity.renamedFrom)
    members.add("parent", entity.parent)
    members.add("abstract", entity.isAbstract)
    members.add("nameAttribute", entity.nameAttribute)
    members.add("attributes", list: entity.attributes.map { .object(ModelWriter.members(of: $0)) })
    members.add("relationships", list: entity.relationships.map { .object(ModelWriter.members(of: $0)) })
    addIndexes(of: entity, to: &members)
    members.add("groups", list: entity.groups.map { .object(ModelWriter.members(of: $0)) })
    addRules(entity.rules, isStored: false, to: &members)
    return members
  }

  /// Adds the rules of an entity: one filter as it is, several as a list.
  static func addRules(_ rules: [String], isStored: Bool, to members: inout JSONMembers) {
    let key = ModelReader.key("rule", isStored: isStored)
    if rules.count == 1 { members.add(key, rules[0]) }
    if rules.count > 1 { members.add(key, .array(rules.map(JSONValue.string))) }
  }

  static func addIndexes(of entity: Entity, to members: inout JSONMembers) {
    members.add("unique", list: entity.unique.map { .array($0.map(JSONValue.string)) })
    members.add("indexes", list: entity.indexes.map { .array($0.terms.map { .string($0.indexText) }) })
  }

  static func members(of groups: GroupDeclaration) -> JSONMembers {
    [
      ("name", .string(groups.name)), ("by", .array(groups.keys.map(JSONValue.string))),
      ("show", .array(groups.values.map(JSONValue.string))),
    ]
  }

  static func members(of attribute: Attribute, isStored: Bool = false) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", attribute.name)
    members.add("renamedFrom", attribute.renamedFrom)
    members.add("type", attribute.type?.rawValue)
    members.add("optional", attribute.isOptional)
    if let type = attribute.type { members.add("default", attribute.defaultValue, as: type) }
    if attribute.order != .codepoint { members.add("order", attribute.order.rawValue) }
    if let derivation = attribute.derivation { members.add("derived", json(of: derivation)) }
    if let type = attribute.type {
      for rule in attribute.rules { members.add(ModelReader.key(rule.key, isStored: isStored), rule.json(as: type)) }
    }
    return members
  }

  private static func json(of derivation: Derivation) -> JSONValue {
    let (kind, relationship, attribute) = derivation.parts
    return .object([(kind.key, .string(attribute.map { "\(relationship).\($0)" } ?? relationship))])
  }

  static func members(of relationship: Relationship, isStored: Bool = false) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", relationship.name)
    members.add("renamedFrom", relationship.renamedFrom)
    members.add("to", relationship.target)
    members.add("many", relationship.isMany)
    members.add("optional", relationship.isOptional)
    members.add("ordered", relationship.isOrdered)
    if !relationship.inverse.isEmpty { members.add("inverse", relationship.inverse) }
    if relationship.deleteRule != .nullify { members.add("onDelete", relationship.deleteRule.rawValue) }
    members.add(ModelReader.key("acyclic", isStored: isStored), relationship.isAcyclic)
    for (key, limit) in [("least", relationship.least), ("most", relationship.most)] {
      if let limit { members.add(ModelReader.key(key, isStored: isStored), .integer(Int64(limit))) }
    }
    return members
  }
}

typealias JSONMembers = [(key: String, value: JSONValue)]

extension JSONMembers {
  mutating func add(_ key: String, _ value: JSONValue) { append((key: key, value: value)) }
  mutating func add(_ key: String, _ text: String?) { if let text { add(key, .string(text)) } }
  mutating func add(_ key: String, _ flag: Bool) { if flag { add(key, .boolean(true)) } }
  mutating func add(_ key: String, list: [JSONValue]) { if !list.isEmpty { add(key, .array(list)) } }
  mutating func add(_ key: String, _ tag: Tag) { add(key, tag.json) }

  /// Adds a value of an attribute's type, unless it is null.
  mutating func add(_ key: String, _ value: Value, as type: AttributeType) {
    if !value.isNull { add(key, value.json(as: type)) }
  }
}
