extension ModelEvolution {
  /// Retires the parts that the new model lacks.
  mutating func retireMissing() {
    let declared = Dictionary(
      uniqueKeysWithValues: entities.enumerated().compactMap { number, former in former.map { ($0, number) } })
    for former in old.entities where !former.isRetired {
      if let number = declared[former.index] { retireFields(of: former, besides: number) } else { retire(former) }
    }
  }

  private mutating func retire(_ entity: ResolvedEntity) {
    steps.append("remove entity \(entity.name)")
    check(.noObjects(entity: entity.index), entity.name, "cannot be removed while it has objects; delete them first")
    stored.retiredEntities.append(RetiredEntity(entity, in: old))
  }

  private mutating func retireFields(of entity: ResolvedEntity, besides number: Int) {
    for index in entity.ownAttributes where !entity.attributes[index].isRetired {
      let field = FormerField(entity: entity.index, number: index)
      guard !attributes.contains(where: { $0.contains(field) }) else { continue }
      let attribute = entity.attributes[index]
      steps.append("remove attribute \(model.entities[number].name).\(attribute.name)")
      stored.entities[number].retired.attributes.append(RetiredAttribute(attribute, of: entity, in: old))
    }
    for index in entity.ownRelationships where !entity.relationships[index].isRetired {
      let field = FormerField(entity: entity.index, number: index)
      guard !relationships.contains(where: { $0.contains(field) }) else { continue }
      let relationship = entity.relationships[index]
      if !relationship.isHidden {
        steps.append("remove relationship \(model.entities[number].name).\(relationship.name)")
      }
      stored.entities[number].retired.relationships.append(RetiredRelationship(relationship, in: old))
    }
  }
}
