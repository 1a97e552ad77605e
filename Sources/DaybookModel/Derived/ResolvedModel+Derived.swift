extension ResolvedModel {
  /// Returns the model with the derived entities of projections.
  ///
  /// The entities of this model keep their numbers and tags. A link to an entity that the model lacks, such as one that
  /// a later model adds, leads nowhere: it is a link of the entity to itself, under which no row is found.
  ///
  /// - Parameters:
  ///   - projections: Their tags must not overlap.
  ///   - requiresTargets: Whether a link to an entity that neither the model nor a projection has is a fault.
  /// - Throws: `ModelError` if a projection declares what is not allowed, or an entity that the model or another
  ///   projection has.
  package func adding(
    _ projections: [DerivedModel], requiringTargets requiresTargets: Bool = false
  ) throws(ModelError) -> ResolvedModel {
    var combination = DerivedCombination(stored, requiresTargets: requiresTargets)
    for projection in projections { combination.declare(projection) }
    for projection in projections { combination.add(projection) }
    return try combination.resolve()
  }
}

/// The encoded model of a journal, to which derived entities are added.
private struct DerivedCombination {
  private var encoded: EncodedModel
  private var faults: [Fault] = []
  /// The names of the entities.
  private var names: Set<String>
  private let requiresTargets: Bool
  /// The hidden ways back over links without an inverse, which may lead to entities that are added later.
  private var inverses: [(target: String, EncodedRelationship)] = []

  init(_ stored: EncodedModel, requiresTargets: Bool) {
    encoded = stored
    self.requiresTargets = requiresTargets
    names = Set(stored.entities.map(\.name))
    if stored.nextTag > Tag.firstDerived {
      faults.append(
        Fault(
          "", "has used tags up to \(stored.nextTag - 1); with derived entities there may be \(Tag.firstDerived - 1)"))
    }
  }

  /// Adds the names of entities, to which links of all projections may lead.
  mutating func declare(_ model: DerivedModel) {
    if Int(model.firstTag) + model.tagCount >= Int(UInt16.max) {
      faults.append(Fault(model.projection, "needs \(model.tagCount) tags, which the store has no more"))
      return
    }
    for derived in model.entities {
      let name = derived.entity.name
      if !names.insert(name).inserted {
        faults.append(
          Fault(
            name, "the store has an entity of this name; the projection \(model.projection) needs another"))
      }
    }
  }

  mutating func add(_ model: DerivedModel) {
    if !faults.isEmpty { return }
    var counter = TagCounter(next: model.firstTag)
    for derived in model.entities {
      faults += derived.faults
      for link in derived.entity.relationships where requiresTargets && !names.contains(link.target) {
        faults.append(
          Fault(
            "\(derived.entity.name).\(link.name)",
            "leads to \(link.target), which is no entity of the store, of the projection \(model.projection), or of one "
              + "that it reads"))
      }
      encoded.entities.append(encode(derived, from: &counter))
    }
  }

  private mutating func encode(_ derived: DerivedEntity, from counter: inout TagCounter) -> EncodedEntity {
    let declared = derived.entity
    var entity = EncodedEntity(
      tag: counter.give(), timelineTag: counter.give(), name: declared.name, nameAttribute: declared.nameAttribute,
      attributes: declared.attributes.map { EncodedAttribute($0, tag: counter.give()) })
    for var relationship in declared.relationships {
      let (tag, inverseTag) = (counter.give(), counter.give())
      if relationship.inverse.isEmpty {
        if !names.contains(relationship.target) { relationship.target = declared.name }
        relationship.inverse = relationship.hiddenInverseName(of: declared.name)
        let inverse = Relationship(
          name: relationship.inverse, target: declared.name, inverse: relationship.name, isMany: true)
        inverses.append((relationship.target, EncodedRelationship(inverse, tag: inverseTag, isOwner: false)))
      }
      entity.relationships.append(EncodedRelationship(relationship, tag: tag, isOwner: !relationship.isMany))
    }
    entity.indexes = declared.indexes.map { EncodedIndex(declaration: $0, tag: counter.give()) }
    entity.unique = declared.unique.map { EncodedConstraint(names: $0, tag: counter.give()) }
    entity.key = derived.key
    return entity
  }

  mutating func resolve() throws(ModelError) -> ResolvedModel {
    guard faults.isEmpty else { throw ModelError(faults) }
    for (target, relationship) in inverses {
      guard let number = encoded.entities.firstIndex(where: { $0.name == target }) else { continue }
      encoded.entities[number].relationships.append(relationship)
    }
    let faults = ModelValidation.faults(of: encoded.declaration, allowingHidden: true)
    guard faults.isEmpty else { throw ModelError(faults) }
    return try ResolvedModel(resolving: encoded)
  }
}

extension DerivedEntity {
  /// The faults of a derived entity that no other entity could have.
  fileprivate var faults: [Fault] {
    var faults: [Fault] = []
    func add(_ field: String?, _ message: String) {
      faults.append(Fault(field.map { "\(entity.name).\($0)" } ?? entity.name, message))
    }
    if !(1...DerivedEntity.maximumKeyCount).contains(key.count) {
      add(nil, "has a key of \(key.count) fields; 1 to \(DerivedEntity.maximumKeyCount) are allowed")
    }
    if Set(key).count != key.count { add(nil, "has a field twice in its key") }
    if entity.parent != nil || entity.isAbstract {
      add(nil, "is derived, and has neither parent nor children; what a projection writes is in no hierarchy")
    }
    if !entity.groups.isEmpty {
      add(nil, "is derived, and has groups; the store keeps no groups of what a projection writes")
    }
    if !entity.rules.isEmpty { add(nil, "is derived, and has rules; what a projection writes is not checked by rules") }
    for name in key {
      let attribute = entity.attributes.first { $0.name == name }
      let link = entity.relationships.first { $0.name == name }
      if attribute == nil, link == nil { add(name, "is in the key, and is no attribute or link of the entity") }
      if let attribute, attribute.derivation != nil { add(name, "is in the key, and is derived") }
      if let type = attribute?.type, [.data, .codable, .double].contains(type) {
        add(name, "is in the key, and is \(type.nounPhrase); keys have neither data, codable nor double values")
      }
      if let link, link.isMany { add(name, "is in the key, and leads to many objects") }
    }
    for attribute in entity.attributes where !attribute.rules.isEmpty {
      add(attribute.name, "has rules; what a projection writes is not checked by rules")
    }
    for attribute in entity.attributes where !key.contains(attribute.name) && attribute.derivation == nil {
      if !attribute.isOptional, attribute.defaultValue.isNull {
        add(attribute.name, "needs a default, or must be optional: a projection makes an object by its key alone")
      }
    }
    for link in entity.relationships {
      if link.isMany, link.inverse.isEmpty { add(link.name, "leads to many objects, and needs an inverse") }
      if link.target == entity.name, link.inverse == link.name {
        add(link.name, "is its own inverse; a link of a derived entity belongs to the row that has it")
      }
      if !link.isMany, !link.isOptional, !key.contains(link.name) {
        add(link.name, "must be optional: its target may be deleted")
      }
      if link.deleteRule != .nullify || link.isAcyclic || link.least != nil || link.most != nil {
        add(link.name, "is a link of a derived entity, which has no delete rule, no limit, and is not acyclic")
      }
    }
    return faults
  }
}
