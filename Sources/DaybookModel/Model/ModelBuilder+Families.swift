/// Gives each entity the fields of its family.
extension ModelBuilder {
  /// A field of a family, with the entity that declares it or has retired it.
  struct FamilyPart<Part: Sendable>: Sendable {
    let owner: Tag
    let part: Part
    /// The part as an entity has it whose objects lack the field.
    let absent: Part
  }

  /// The fields of a family by rising tag.
  struct FamilyFields: Sendable {
    var attributes: [FamilyPart<ResolvedAttribute>] = []
    var relationships: [FamilyPart<ResolvedRelationship>] = []
  }

  /// Returns the fields of each family, by the tag of its root.
  ///
  /// - Throws: `ModelError` if a retired part refers to a tag that does not fit.
  func familyFields() throws(ModelError) -> [Tag: FamilyFields] {
    let retired = RetiredPartResolver(stored, families)
    var all: [Tag: FamilyFields] = [:]
    func add(_ attributes: [ResolvedAttribute], _ relationships: [ResolvedRelationship], of entity: Tag) {
      // An entity without relatives has all fields of its family.
      let (root, isAlone) = (families.root(of: entity), families.members(around: entity).count == 1)
      all[root, default: FamilyFields()].attributes += attributes.map {
        FamilyPart(owner: entity, part: $0, absent: isAlone || $0.isRetired ? $0 : $0.absent)
      }
      all[root, default: FamilyFields()].relationships += relationships.map {
        FamilyPart(owner: entity, part: $0, absent: isAlone || $0.isRetired ? $0 : $0.absent)
      }
    }
    for (number, entity) in stored.entities.enumerated() {
      add(
        entity.attributes.indices.map { attribute($0, of: number) }
          + (try retired.attributes(entity.retired, of: entity.tag)),
        entity.relationships.indices.map { relationship($0, of: number) }
          + (try retired.relationships(entity.retired, of: entity.tag)), of: entity.tag)
    }
    for entity in stored.retiredEntities {
      add(
        try retired.attributes(entity.fields, of: entity.tag), try retired.relationships(entity.fields, of: entity.tag),
        of: entity.tag)
    }
    for root in all.keys {
      all[root]?.attributes.sort { $0.part.tag < $1.part.tag }
      all[root]?.relationships.sort { $0.part.tag < $1.part.tag }
    }
    return all
  }

  /// Returns the fields of an entity: its own, its ancestors', and in the places of all others of its family parts
  /// that are marked as retired.
  func fields(of entity: Tag, in all: [Tag: FamilyFields]) -> EntityFields {
    let lineage = families.lineage(of: entity)
    let family = all[lineage[0]] ?? FamilyFields()
    return EntityFields(
      attributes: family.attributes.map { lineage.contains($0.owner) ? $0.part : $0.absent },
      relationships: family.relationships.map { lineage.contains($0.owner) ? $0.part : $0.absent },
      ownAttributes: family.attributes.indices.filter { family.attributes[$0].owner == entity },
      ownRelationships: family.relationships.indices.filter { family.relationships[$0].owner == entity })
  }

  /// Returns the place of an entity in its hierarchy.
  ///
  /// - Parameter numbers: The dense numbers of all entities.
  func place(of entity: Tag, _ numbers: [Tag: Int]) -> EntityPlace {
    let descendants = families.members(around: entity).filter {
      families.lineage(of: $0).dropLast().contains(entity)
    }
    return EntityPlace(
      lineage: families.lineage(of: entity).compactMap { numbers[$0] },
      names: families.lineage(of: entity).compactMap { families.names[$0] },
      descendants: descendants.compactMap { numbers[$0] }.sorted())
  }
}

/// The fields that an entity has numbers for.
struct EntityFields {
  let attributes: [ResolvedAttribute]
  let relationships: [ResolvedRelationship]
  /// The numbers of the attributes that the entity itself declares or has retired, rising.
  let ownAttributes: [Int]
  /// The numbers of the relationships that the entity itself declares or has retired, rising.
  let ownRelationships: [Int]
}

private extension ResolvedAttribute {
  /// The attribute in an entity that lacks it.
  var absent: ResolvedAttribute {
    ResolvedAttribute(
      tag: tag, entity: entity, name: name, type: type, isOptional: isOptional, defaultValue: defaultValue,
      valueWhenMissing: valueWhenMissing, order: order, derivation: derivation, isRetired: true)
  }
}

private extension ResolvedRelationship {
  /// The relationship in an entity that lacks it.
  var absent: ResolvedRelationship {
    ResolvedRelationship(
      tag: tag, entity: entity, name: name, target: target, inverse: inverse, isMany: isMany, isOptional: isOptional,
      isOrdered: isOrdered, isOwner: isOwner, isMirrored: isMirrored, isSoft: isSoft, deleteRule: deleteRule,
      isRetired: true)
  }
}
