extension ResolvedModel {
  /// Returns the model with the derived entities of projections.
  ///
  /// The entities of this model keep their numbers and tags. A link to an entity that the model lacks, such as one that
  /// a later model adds, leads nowhere: it is a link of the entity to itself, under which no row is found.
  ///
  /// - Parameter projections: Their tags must not overlap.
  /// - Throws: `ModelError` if a projection declares what is not allowed, or an entity that the model or another
  ///   projection has.
  package func adding(_ projections: [DerivedModel]) throws(ModelError) -> ResolvedModel {
    var combination = DerivedCombination(stored)
    for projection in projections { combination.add(projection) }
    return try combination.resolve()
  }
}

/// The encoded model of a journal, to which derived entities are added.
private struct DerivedCombination {
  private var encoded: EncodedModel
  private var faults: [ModelError.Fault] = []
  /// The names of the entities.
  private var names: Set<String>

  init(_ stored: EncodedModel) {
    encoded = stored
    names = Set(stored.entities.map(\.name))
    if stored.nextTag > Tag.firstDerived {
      faults.append(
        ModelError.Fault(
          "", "has used tags up to \(stored.nextTag - 1); with derived entities there may be \(Tag.firstDerived - 1)"))
    }
  }

  mutating func add(_ model: DerivedModel) {
    if Int(model.firstTag) + model.tagCount >= Int(UInt16.max) {
      faults.append(ModelError.Fault(model.projection, "needs \(model.tagCount) tags, which the store has no more"))
      return
    }
    for derived in model.entities {
      let name = derived.entity.name
      if !names.insert(name).inserted {
        faults.append(
          ModelError.Fault(
            name, "the store has an entity of this name; the projection \(model.projection) needs another"))
      }
    }
    if !faults.isEmpty { return }
    var counter = TagCounter(next: model.firstTag)
    var inverses: [(target: String, EncodedRelationship)] = []
    for derived in model.entities {
      faults += derived.faults
      encoded.entities.append(encode(derived, from: &counter, &inverses))
    }
    for (target, relationship) in inverses {
      guard let number = encoded.entities.firstIndex(where: { $0.name == target }) else { continue }
      encoded.entities[number].relationships.append(relationship)
    }
  }

  private func encode(
    _ derived: DerivedEntity, from counter: inout TagCounter,
    _ inverses: inout [(target: String, EncodedRelationship)]
  ) -> EncodedEntity {
    let declared = derived.entity
    var entity = EncodedEntity(
      tag: counter.give(), timelineTag: counter.give(), name: declared.name, nameAttribute: declared.nameAttribute,
      attributes: declared.attributes.map { EncodedAttribute($0, tag: counter.give()) })
    for var relationship in declared.relationships {
      let (tag, inverseTag) = (counter.give(), counter.give())
      if relationship.inverse.isEmpty {
        if !names.contains(relationship.target) { relationship.target = declared.name }
        relationship.inverse = DerivedModel.inverseName(of: relationship, from: declared)
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

  func resolve() throws(ModelError) -> ResolvedModel {
    guard faults.isEmpty else { throw ModelError(faults) }
    let faults = ModelValidation.faults(of: encoded.declaration, allowingHidden: true)
    guard faults.isEmpty else { throw ModelError(faults) }
    return try ResolvedModel(resolving: encoded)
  }
}

extension DerivedEntity {
  /// The faults of a derived entity that no other entity could have.
  fileprivate var faults: [ModelError.Fault] {
    var faults: [ModelError.Fault] = []
    func add(_ field: String?, _ message: String) {
      faults.append(ModelError.Fault(field.map { "\(entity.name).\($0)" } ?? entity.name, message))
    }
    if !(1...DerivedEntity.maximumKeyCount).contains(key.count) {
      add(nil, "has a key of \(key.count) fields; 1 to \(DerivedEntity.maximumKeyCount) are allowed")
    }
    if Set(key).count != key.count { add(nil, "has a field twice in its key") }
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
