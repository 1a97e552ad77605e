/// Resolves a stored model whose declarations are valid.
///
/// The dense numbers are the ranks of the tags among all tags ever assigned, including retired ones; so they follow
/// from the stored form alone, and stay when the model evolves, unless two hierarchies become one. Fields are numbered in
/// their hierarchy (``EntityFamilies``). The builder translates the numbers of the declarations, which ``ModelLookup``
/// returns.
struct ModelBuilder {
  let stored: EncodedModel
  let lookup: ModelLookup
  let families: EntityFamilies
  /// The dense numbers of the declared entities, then of the retired ones.
  let entityNumbers: [Int]
  /// The dense numbers of each declared entity's attributes, as ``ModelLookup`` numbers them.
  let attributeNumbers: [[Int]]
  let relationshipNumbers: [[Int]]

  /// - Parameter lookup: Finds the parts of the declaration, in which entities, attributes and relationships have the
  ///   same order as in the stored model. The stored model may still lack its constraints and indexes.
  /// - Throws: `ModelError` if a retired part refers to a tag that does not fit.
  init(_ stored: EncodedModel, lookup: ModelLookup) throws(ModelError) {
    self.stored = stored
    self.lookup = lookup
    let families = try EntityFamilies(stored)
    self.families = families
    entityNumbers = (stored.entities.map(\.tag) + stored.retiredEntities.map(\.tag)).ranks
    attributeNumbers = stored.entities.indices.map { number in
      lookup.attributeOrigins[number].map { origin in
        let tag = stored.entities[origin.entity].attributes[origin.number].tag
        return families.validNumber(ofAttribute: tag, of: stored.entities[number].tag)
      }
    }
    relationshipNumbers = stored.entities.indices.map { number in
      lookup.relationshipOrigins[number].map { origin in
        let tag = stored.entities[origin.entity].relationships[origin.number].tag
        return families.validNumber(ofRelationship: tag, of: stored.entities[number].tag)
      }
    }
  }

  /// Returns the resolved entities in the order of their tags.
  ///
  /// - Throws: `ModelError` if a retired part refers to a tag that does not fit.
  func entities() throws(ModelError) -> [ResolvedEntity] {
    let fields = try familyFields()
    let tags = stored.entities.map(\.tag) + stored.retiredEntities.map(\.tag)
    let numbers = Dictionary(zip(tags, entityNumbers), uniquingKeysWith: { first, _ in first })
    var entities: [ResolvedEntity] = []
    for (number, entity) in stored.entities.enumerated() {
      entities.append(resolve(entity, number, fields, numbers))
    }
    for (entity, number) in zip(stored.retiredEntities, entityNumbers.dropFirst(stored.entities.count)) {
      entities.append(
        ResolvedEntity(
          index: number, tag: entity.tag, name: entity.name, isRetired: true,
          place: place(of: entity.tag, numbers), fields: self.fields(of: entity.tag, in: fields), nameAttribute: nil,
          indexes: [], constraints: []))
    }
    return entities.sorted { $0.tag < $1.tag }
  }

  private func resolve(
    _ entity: EncodedEntity, _ number: Int, _ fields: [Tag: FamilyFields], _ numbers: [Tag: Int]
  ) -> ResolvedEntity {
    // The parts of the ancestors come first, and the root's before all others.
    let ancestors = lookup.ancestors[number].reversed()
    let inherited = ancestors.map { parts(of: $0, startingAt: number) }
    let own = parts(of: number, startingAt: number)
    let nameAttribute = ([number] + lookup.ancestors[number]).lazy.compactMap { entity in
      stored.entities[entity].nameAttribute.map { attributeNumbers[entity][lookup.validAttribute($0, of: entity)] }
    }.first
    return ResolvedEntity(
      index: entityNumbers[number], tag: entity.tag, name: entity.name, isRetired: false,
      isAbstract: entity.isAbstract, place: place(of: entity.tag, numbers),
      fields: self.fields(of: entity.tag, in: fields), nameAttribute: nameAttribute,
      indexes: inherited.flatMap(\.indexes) + own.indexes,
      constraints: inherited.flatMap(\.constraints) + own.constraints,
      groups: inherited.flatMap(\.groups) + own.groups,
      inheritedCounts: .init(
        indexes: inherited.reduce(0) { $0 + $1.indexes.count },
        constraints: inherited.reduce(0) { $0 + $1.constraints.count },
        groups: inherited.reduce(0) { $0 + $1.groups.count }),
      rules: entity.rules, key: self.fields(of: entity.key, of: number))
  }

  /// The indexes, constraints and groups that one entity declares.
  private struct Parts {
    let indexes: [ResolvedIndex]
    let constraints: [ResolvedConstraint]
    let groups: [ResolvedGroups]
  }

  /// Returns the parts that an entity declares.
  ///
  /// - Parameter start: The declared number of the entity at which the paths of indexes start: the entity, or a descendant,
  ///   whose requests compare them with paths of its own.
  private func parts(of number: Int, startingAt start: Int) -> Parts {
    let entity = stored.entities[number]
    let timeline = ResolvedTerm(
      path: ResolvedPath(start: entityNumbers[start], field: .createdAt, type: .date), isDescending: false)
    let indexes = entity.indexes.map { index in
      ResolvedIndex(
        tag: index.tag, terms: terms(of: index.declaration, of: number).map { $0.starting(at: entityNumbers[start]) })
    }
    let groups = entity.groups.map { groups in
      let parts = self.groups(groups.declaration, of: number)
      return ResolvedGroups(
        tag: groups.tag, keysTag: groups.keysTag, name: groups.declaration.name, keys: parts.keys, values: parts.values)
    }
    return Parts(
      indexes: entity.name == ResolvedModel.groupEntity
        ? indexes : [ResolvedIndex(tag: entity.timelineTag, terms: [timeline])] + indexes,
      constraints: entity.unique.map { ResolvedConstraint(tag: $0.tag, fields: fields(of: $0.names, of: number)) },
      groups: groups)
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

private extension EntityFamilies {
  func validNumber(ofAttribute tag: Tag, of entity: Tag) -> Int {
    guard let number = number(ofAttribute: tag, of: entity) else {
      preconditionFailure("a declared attribute is not in its family")
    }
    return number
  }

  func validNumber(ofRelationship tag: Tag, of entity: Tag) -> Int {
    guard let number = number(ofRelationship: tag, of: entity) else {
      preconditionFailure("a declared relationship is not in its family")
    }
    return number
  }
}

private extension ResolvedTerm {
  /// The same term of the objects of a descendant.
  func starting(at entity: Int) -> ResolvedTerm {
    guard path.start != entity else { return self }
    return ResolvedTerm(
      path: ResolvedPath(start: entity, steps: path.steps, field: path.field, type: path.type, order: path.order),
      isDescending: isDescending, type: type, order: order, movesNull: movesNull)
  }
}
