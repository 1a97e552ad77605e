extension StoredModel {
  /// Every assigned tag; a faulty form may contain a tag twice.
  private var tags: [Tag] {
    var tags = entities.map(\.tag)
    for entity in model.entities {
      tags += [entity.tag, entity.timelineTag].compactMap { $0 }
      tags += entity.attributes.compactMap(\.tag) + entity.relationships.compactMap(\.tag)
      tags += entity.uniqueTags + entity.indexes.compactMap(\.tag)
    }
    for attributes in attributes.values { tags += attributes.map(\.attribute.tag) }
    for relationships in relationships.values { tags += relationships.map(\.tag) }
    return tags
  }

  func tagFaults() -> [ModelError.Fault] {
    var seen: Set<Tag> = []
    return tags.sorted().compactMap { tag in
      guard seen.insert(tag).inserted else { return ModelError.Fault("tag \(tag)", "was given twice") }
      guard tag.number < nextTag else { return ModelError.Fault("tag \(tag)", "is not below nextTag, \(nextTag)") }
      return nil
    }
  }

  /// Returns faults of pairs of relationships without exactly one owner, or with the wrong one.
  ///
  /// The model must be valid.
  func ownerFaults() -> [ModelError.Fault] {
    let lookup = ModelLookup(model)
    var faults: [ModelError.Fault] = []
    for (number, entity) in model.entities.enumerated() {
      for (index, relationship) in entity.relationships.enumerated() {
        let reference = RelationshipReference(entity: number, relationship: index)
        guard let inverse = lookup.inverse(of: reference).map({ lookup[$0] }) else { continue }
        let isDecided = relationship.isMany != inverse.isMany || relationship.isOrdered != inverse.isOrdered
        guard relationship.isOwner != inverse.isOwner, !isDecided || relationship.isOwner == lookup.isOwner(reference)
        else {
          faults.append(ModelError.Fault("\(entity.name).\(relationship.name)", "has no owner, or the wrong one"))
          continue
        }
      }
    }
    return faults
  }

  /// Returns the retired parts, with tags translated into dense numbers; all tags must differ.
  func retiredParts() throws(ModelError) -> RetiredParts {
    let numbers = TagNumbers(self)
    var parts = RetiredParts(entities: entities)
    for (tag, attributes) in attributes where !attributes.isEmpty {
      var resolved: [ResolvedAttribute] = []
      for attribute in attributes { resolved.append(try numbers.resolve(attribute, of: tag)) }
      parts.attributes[tag] = resolved
    }
    for (tag, relationships) in relationships where !relationships.isEmpty {
      var resolved: [ResolvedRelationship] = []
      for relationship in relationships {
        try check(relationship, of: tag)
        resolved.append(try numbers.resolve(relationship))
      }
      parts.relationships[tag] = resolved
    }
    return parts
  }

  /// Checks that the inverse of a retired relationship is retired too and leads back.
  private func check(_ relationship: RetiredRelationship, of entity: Tag) throws(ModelError) {
    let inverse = relationships[relationship.target]?.first { $0.tag == relationship.inverse }
    guard let inverse, inverse.target == entity, inverse.inverse == relationship.tag, inverse.tag != relationship.tag,
      inverse.isOwner != relationship.isOwner
    else {
      throw ModelError([ModelError.Fault("retired relationship \(relationship.name)", "its inverse does not fit it")])
    }
  }
}
