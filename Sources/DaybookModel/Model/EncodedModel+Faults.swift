extension EncodedModel {
  /// Every assigned tag; a faulty form may contain a tag twice.
  private var tags: [Tag] {
    var tags: [Tag] = []
    for entity in entities {
      tags += [entity.tag, entity.timelineTag]
      tags += entity.attributes.map(\.tag) + entity.relationships.map(\.tag)
      tags += entity.unique.map(\.tag) + entity.indexes.map(\.tag)
      tags += entity.groups.flatMap { [$0.tag, $0.keysTag] }
    }
    tags += retiredEntities.map(\.tag)
    for fields in entities.map(\.retired) + retiredEntities.map(\.fields) {
      tags += fields.attributes.map(\.tag) + fields.relationships.map(\.tag)
    }
    tags += events.map(\.tag) + retiredEvents.map(\.tag)
    for event in events { tags += event.attributes.map(\.tag) + event.retired.map(\.tag) }
    for event in retiredEvents { tags += event.attributes.map(\.tag) }
    return tags
  }

  /// Returns faults of tags that were assigned twice or never.
  func tagFaults() -> [Fault] {
    var seen: Set<Tag> = []
    return tags.sorted().compactMap { tag in
      guard seen.insert(tag).inserted else { return Fault("tag \(tag)", "was given twice") }
      guard tag.number < nextTag else { return Fault("tag \(tag)", "is not below nextTag, \(nextTag)") }
      return nil
    }
  }

  /// Returns faults of pairs of relationships without exactly one owner, or with the wrong one, and of relationships that
  /// are their own inverses and do not own their links.
  ///
  /// The declaration must be valid.
  func ownerFaults() -> [Fault] {
    let lookup = ModelLookup(declaration)
    var faults: [Fault] = []
    for (number, entity) in entities.enumerated() {
      for (index, relationship) in entity.relationships.enumerated() {
        let reference = RelationshipReference(entity: number, relationship: index)
        let other = lookup.validInverse(of: reference)
        let inverse = entities[other.entity].relationships[other.relationship]
        let (here, there) = (relationship.declaration, inverse.declaration)
        let isDecided = here.isMany != there.isMany || here.isOrdered != there.isOrdered
        let hasOneOwner =
          other == reference ? relationship.isOwner : relationship.isOwner != inverse.isOwner
        guard hasOneOwner, !isDecided || relationship.isOwner == lookup.isOwner(reference) else {
          faults.append(Fault("\(entity.name).\(here.name)", "has no owner, or the wrong one"))
          continue
        }
      }
    }
    return faults
  }
}
