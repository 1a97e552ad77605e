/// Resolves a stored model whose declarations are valid.
///
/// The dense numbers are the ranks of the tags among all tags ever assigned, including retired ones; so they follow
/// from the stored form alone, and stay when the model evolves. The builder translates the numbers of the declarations,
/// which ``ModelLookup`` returns.
struct ModelBuilder {
  let stored: EncodedModel
  let lookup: ModelLookup
  /// The dense numbers of the declared entities, then of the retired ones.
  let entityNumbers: [Int]
  /// The dense numbers of each declared entity's declared attributes, then of the retired ones.
  let attributeNumbers: [[Int]]
  let relationshipNumbers: [[Int]]

  /// - Parameter lookup: Finds the parts of the declaration, in which entities, attributes and relationships have the
  ///   same order as in the stored model. The stored model may still lack its constraints and indexes.
  init(_ stored: EncodedModel, lookup: ModelLookup) {
    self.stored = stored
    self.lookup = lookup
    entityNumbers = (stored.entities.map(\.tag) + stored.retiredEntities.map(\.tag)).ranks
    attributeNumbers = stored.entities.map { entity in
      (entity.attributes.map(\.tag) + entity.retired.attributes.map(\.tag)).ranks
    }
    relationshipNumbers = stored.entities.map { entity in
      (entity.relationships.map(\.tag) + entity.retired.relationships.map(\.tag)).ranks
    }
  }

  /// Returns the resolved entities in the order of their tags.
  ///
  /// - Throws: `ModelError` if a retired part refers to a tag that does not fit.
  func entities() throws(ModelError) -> [ResolvedEntity] {
    let retired = RetiredPartResolver(stored)
    var entities: [ResolvedEntity] = []
    for (number, entity) in stored.entities.enumerated() {
      entities.append(try resolve(entity, number, retired))
    }
    for (entity, number) in zip(stored.retiredEntities, entityNumbers.dropFirst(stored.entities.count)) {
      entities.append(try retired.resolve(entity, number: number))
    }
    return entities.sorted { $0.tag < $1.tag }
  }

  private func resolve(
    _ entity: EncodedEntity, _ number: Int, _ retired: RetiredPartResolver
  ) throws(ModelError) -> ResolvedEntity {
    let attributes = entity.attributes.indices.map { attribute($0, of: number) }
    let relationships = entity.relationships.indices.map { relationship($0, of: number) }
    let retiredAttributes = try retired.attributes(entity.retired, of: entity.tag)
    let retiredRelationships = try retired.relationships(entity.retired, of: entity.tag)
    let timeline = ResolvedTerm(
      path: ResolvedPath(start: entityNumbers[number], field: .createdAt, type: .date), isDescending: false)
    let indexes = entity.indexes.map { ResolvedIndex(tag: $0.tag, terms: terms(of: $0.declaration, of: number)) }
    let groups = entity.groups.map { groups in
      let parts = self.groups(groups.declaration, of: number)
      return ResolvedGroups(
        tag: groups.tag, keysTag: groups.keysTag, name: groups.declaration.name, keys: parts.keys, values: parts.values)
    }
    return ResolvedEntity(
      index: entityNumbers[number], tag: entity.tag, name: entity.name, isRetired: false,
      attributes: (attributes + retiredAttributes).sorted { $0.tag < $1.tag },
      relationships: (relationships + retiredRelationships).sorted { $0.tag < $1.tag },
      nameAttribute: entity.nameAttribute.map { attributeNumbers[number][lookup.validAttribute($0, of: number)] },
      indexes: entity.name == ResolvedModel.groupEntity
        ? indexes : [ResolvedIndex(tag: entity.timelineTag, terms: [timeline])] + indexes,
      constraints: entity.unique.map { ResolvedConstraint(tag: $0.tag, fields: fields(of: $0.names, of: number)) },
      groups: groups, rules: entity.rules, key: fields(of: entity.key, of: number))
  }
}

extension [Tag] {
  /// The rank of each tag among all of them, in the order of the list.
  var ranks: [Int] {
    var ranks = indices.map { $0 }
    for (rank, place) in indices.sorted(by: { self[$0] < self[$1] }).enumerated() { ranks[place] = rank }
    return ranks
  }
}
