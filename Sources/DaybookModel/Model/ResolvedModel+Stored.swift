/// The stored form of a model.
///
/// It is the form of the model file, with all tags, the next tag, the owning sides of relationships, and the retired
/// parts. Retired parts refer to others by tags, because a later model may reuse their names.
extension ResolvedModel {
  /// Resolves a model from its stored form, the inverse of ``storedJSON``.
  ///
  /// - Throws: All faults of the form; the form comes from a file, so it can be anything.
  package convenience init(stored json: JSONValue) throws(ModelError) {
    var reader = ModelReader(isStored: true)
    let stored = reader.stored(json)
    guard reader.faults.isEmpty else { throw ModelError(reader.faults) }
    let faults = stored.tagFaults() + ModelValidation.faults(of: stored.model)
    guard faults.isEmpty else { throw ModelError(faults) }
    let owners = stored.ownerFaults()
    guard owners.isEmpty else { throw ModelError(owners) }
    let retired = try stored.retiredParts()
    let resolved = ModelBuilder(stored.model, retired: retired).build(nextTag: stored.nextTag)
    self.init(
      model: resolved.model, entities: resolved.entities, nextTag: resolved.nextTag,
      hasLaterParts: reader.hasLaterParts)
  }

  /// The stored form; ``init(stored:)`` restores the same resolved model from it.
  package var storedJSON: JSONValue {
    var members: JSONMembers = []
    members.add("nextTag", .integer(Int64(nextTag)))
    members.add(
      "entities",
      .array(
        model.entities.map { declared in
          .object(storedMembers(of: declared, entities[entity(tagged: declared.tag!)!]))
        }))
    members.add(
      "retiredEntities",
      list: entities.filter(\.isRetired).map { entity in
        var members: JSONMembers = [("name", .string(entity.name)), ("tag", entity.tag.json)]
        addRetired(of: entity, to: &members)
        return .object(members)
      })
    return .object(members)
  }

  private func storedMembers(of declared: Entity, _ entity: ResolvedEntity) -> JSONMembers {
    var members: JSONMembers = []
    members.add("name", declared.name)
    members.add("tag", entity.tag.json)
    members.add("timelineTag", entity.views[0].tag.json)
    members.add("nameAttribute", declared.nameAttribute)
    members.add("attributes", list: declared.attributes.map { .object($0.storedMembers) })
    members.add("relationships", list: declared.relationships.map { .object($0.storedMembers) })
    declared.addViews(to: &members)
    members.add("uniqueTags", list: declared.uniqueTags.map(\.json))
    members.add("indexTags", list: declared.indexes.map { $0.tag!.json })
    addRetired(of: entity, to: &members)
    return members
  }

  private func addRetired(of entity: ResolvedEntity, to members: inout JSONMembers) {
    members.add(
      "retiredAttributes", list: entity.attributes.filter(\.isRetired).map { .object(retired($0, of: entity)) })
    members.add(
      "retiredRelationships", list: entity.relationships.filter(\.isRetired).map { .object(retired($0)) })
  }

  private func retired(_ attribute: ResolvedAttribute, of entity: ResolvedEntity) -> JSONMembers {
    var members: JSONMembers = [("name", .string(attribute.name)), ("tag", attribute.tag.json)]
    members.add("type", attribute.type.rawValue)
    members.add("optional", attribute.isOptional)
    if !attribute.defaultValue.isNull { members.add("default", attribute.defaultValue.json(as: attribute.type)) }
    if !attribute.valueWhenMissing.isNull {
      members.add("valueWhenMissing", attribute.valueWhenMissing.json(as: attribute.type))
    }
    if attribute.order != .codepoint { members.add("order", attribute.order.rawValue) }
    if let derivation = attribute.derivation {
      let relationship = entity.relationships[derivation.relationship]
      var derived: JSONMembers = [("kind", .string(derivation.kind.key)), ("relationship", relationship.tag.json)]
      if let source = derivation.attribute {
        derived.add("attribute", entities[relationship.target].attributes[source].tag.json)
      }
      members.add("derived", .object(derived))
    }
    return members
  }

  private func retired(_ relationship: ResolvedRelationship) -> JSONMembers {
    let target = entities[relationship.target]
    var members: JSONMembers = [("name", .string(relationship.name)), ("tag", relationship.tag.json)]
    members.add("to", target.tag.json)
    members.add("inverse", target.relationships[relationship.inverse].tag.json)
    members.add("many", relationship.isMany)
    members.add("optional", relationship.isOptional)
    members.add("ordered", relationship.isOrdered)
    members.add("owner", relationship.isOwner)
    if relationship.deleteRule != .nullify { members.add("onDelete", relationship.deleteRule.rawValue) }
    return members
  }
}

private extension Tag {
  var json: JSONValue { .integer(Int64(number)) }
}

private extension Attribute {
  var storedMembers: JSONMembers {
    var members = members
    members.add("tag", tag!.json)
    if let type, !valueWhenMissing.isNull { members.add("valueWhenMissing", valueWhenMissing.json(as: type)) }
    return members
  }
}

private extension Relationship {
  var storedMembers: JSONMembers {
    var members = members
    members.add("tag", tag!.json)
    members.add("owner", isOwner)
    return members
  }
}
