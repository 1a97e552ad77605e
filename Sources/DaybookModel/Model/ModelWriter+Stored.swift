/// The stored form of a model.
///
/// It is the form of the model file, with all tags, the next tag, the owning sides of relationships, and the retired
/// parts in the order of their tags.
extension ModelWriter {
  static func json(of model: EncodedModel) -> JSONValue {
    var members: JSONMembers = []
    members.add("nextTag", .integer(Int64(model.nextTag)))
    members.add("entities", .array(model.entities.map { .object(ModelWriter.members(of: $0)) }))
    let retired = model.retiredEntities.sorted { $0.tag < $1.tag }
    members.add("retiredEntities", list: retired.map { .object(ModelWriter.members(of: $0)) })
    members.add(EncodedModel.eventsKey, list: model.events.map { .object(ModelWriter.members(of: $0)) })
    let retiredEvents = model.retiredEvents.sorted { $0.tag < $1.tag }
    members.add(EncodedModel.retiredEventsKey, list: retiredEvents.map { .object(ModelWriter.members(of: $0)) })
    return .object(members)
  }

  private static func members(of event: EncodedEventType) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", event.name)
    members.add("tag", event.tag)
    members.add("about", event.about)
    members.add("attributes", list: event.attributes.map { .object(ModelWriter.members(of: $0)) })
    addRetired(event.retired, to: &members)
    return members
  }

  private static func members(of event: RetiredEventType) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", event.name)
    members.add("tag", event.tag)
    members.add("about", event.about)
    addRetired(event.attributes, to: &members)
    return members
  }

  private static func addRetired(_ attributes: [RetiredAttribute], to members: inout JSONMembers) {
    let attributes = attributes.sorted { $0.tag < $1.tag }
    members.add("retiredAttributes", list: attributes.map { .object(ModelWriter.members(of: $0)) })
  }

  private static func members(of entity: EncodedEntity) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", entity.name)
    members.add("tag", entity.tag)
    members.add("timelineTag", entity.timelineTag)
    members.add("parent", entity.parent)
    members.add("abstract", entity.isAbstract)
    members.add("nameAttribute", entity.nameAttribute)
    members.add("attributes", list: entity.attributes.map { .object(ModelWriter.members(of: $0)) })
    members.add("relationships", list: entity.relationships.map { .object(ModelWriter.members(of: $0)) })
    addIndexes(of: entity.declaration, to: &members)
    members.add("uniqueTags", list: entity.unique.map(\.tag.json))
    members.add("indexTags", list: entity.indexes.map(\.tag.json))
    members.add(
      ModelReader.key("groups", isStored: true),
      list: entity.groups.map { groups in
        var members = ModelWriter.members(of: groups.declaration)
        members.add("tag", groups.tag)
        members.add("keysTag", groups.keysTag)
        return .object(members)
      })
    addRules(entity.rules, isStored: true, to: &members)
    addFields(entity.retired, to: &members)
    return members
  }

  private static func members(of attribute: EncodedAttribute) -> JSONMembers {
    var members = ModelWriter.members(of: attribute.declaration, isStored: true)
    members.add("tag", attribute.tag)
    if let type = attribute.declaration.type { members.add("valueWhenMissing", attribute.valueWhenMissing, as: type) }
    return members
  }

  private static func members(of relationship: EncodedRelationship) -> JSONMembers {
    var members = ModelWriter.members(of: relationship.declaration, isStored: true)
    members.add("tag", relationship.tag)
    members.add("owner", relationship.isOwner)
    return members
  }

  private static func members(of entity: RetiredEntity) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", entity.name)
    members.add("tag", entity.tag)
    if let parent = entity.parent { members.add("parent", parent) }
    addFields(entity.fields, to: &members)
    return members
  }

  private static func addFields(_ fields: RetiredFields, to members: inout JSONMembers) {
    let relationships = fields.relationships.sorted { $0.tag < $1.tag }
    addRetired(fields.attributes, to: &members)
    members.add("retiredRelationships", list: relationships.map { .object(ModelWriter.members(of: $0)) })
  }

  private static func members(of attribute: RetiredAttribute) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", attribute.name)
    members.add("tag", attribute.tag)
    members.add("type", attribute.type.rawValue)
    members.add("optional", attribute.isOptional)
    members.add("default", attribute.defaultValue, as: attribute.type)
    members.add("valueWhenMissing", attribute.valueWhenMissing, as: attribute.type)
    if attribute.order != .codepoint { members.add("order", attribute.order.rawValue) }
    if let derivation = attribute.derivation {
      var derived: JSONMembers = []
      derived.add("kind", derivation.kind.key)
      derived.add("relationship", derivation.relationship)
      if let source = derivation.attribute { derived.add("attribute", source) }
      members.add("derived", .object(derived))
    }
    return members
  }

  private static func members(of relationship: RetiredRelationship) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", relationship.name)
    members.add("tag", relationship.tag)
    members.add("to", relationship.target)
    members.add("inverse", relationship.inverse)
    members.add("many", relationship.isMany)
    members.add("optional", relationship.isOptional)
    members.add("ordered", relationship.isOrdered)
    members.add("owner", relationship.isOwner)
    if relationship.deleteRule != .nullify { members.add("onDelete", relationship.deleteRule.rawValue) }
    return members
  }
}
