/// Resolves the parts of an entity: translates declared numbers into dense ones.
extension ModelBuilder {
  func attribute(_ number: Int, of entity: Int) -> ResolvedAttribute {
    let attribute = stored.entities[entity].attributes[number]
    let declared = attribute.declaration
    let (type, order) = lookup.validValues(of: number, of: entity)
    let derivation = declared.derivation.map { self.derivation($0, of: entity) }
    let isExtremum = derivation.map { $0.kind == .minimum || $0.kind == .maximum } ?? false
    return ResolvedAttribute(
      tag: attribute.tag, entity: entityNumbers[entity], name: declared.name, type: type,
      isOptional: declared.isOptional || isExtremum,
      defaultValue: declared.defaultValue, valueWhenMissing: attribute.valueWhenMissing, order: order,
      derivation: derivation, isRetired: false, rules: declared.rules)
  }

  private func derivation(_ derivation: Derivation, of entity: Int) -> ResolvedDerivation {
    let declared = lookup.valid { () throws(ModelLookup.Complaint) in try lookup.derivation(derivation, of: entity) }
    let reference = RelationshipReference(entity: entity, relationship: declared.relationship)
    let target = lookup.validInverse(of: reference).entity
    return ResolvedDerivation(
      kind: declared.kind, relationship: relationshipNumbers[entity][declared.relationship],
      attribute: declared.attribute.map { attributeNumbers[target][$0] })
  }

  /// Returns what a derived attribute is derived from, by tags.
  func derivationTags(_ derivation: Derivation, of entity: Int) -> RetiredAttribute.Derivation {
    let declared = lookup.valid { () throws(ModelLookup.Complaint) in try lookup.derivation(derivation, of: entity) }
    let link = lookup.relationshipOrigins[entity][declared.relationship]
    let target = lookup.validEntity(lookup.model.entities[entity].relationships[declared.relationship].target)
    let source = declared.attribute.map { lookup.attributeOrigins[target][$0] }
    return RetiredAttribute.Derivation(
      kind: declared.kind, relationship: stored.entities[link.entity].relationships[link.number].tag,
      attribute: source.map { stored.entities[$0.entity].attributes[$0.number].tag })
  }

  func relationship(_ number: Int, of entity: Int) -> ResolvedRelationship {
    let relationship = stored.entities[entity].relationships[number]
    let declared = relationship.declaration
    let reference = RelationshipReference(entity: entity, relationship: number)
    let inverse = dense(lookup.validInverse(of: reference))
    return ResolvedRelationship(
      tag: relationship.tag, entity: entityNumbers[entity], name: declared.name, target: inverse.entity,
      inverse: inverse.relationship,
      isMany: declared.isMany, isOptional: declared.isOptional, isOrdered: declared.isOrdered,
      isOwner: relationship.isOwner, isMirrored: lookup.isMirrored(reference),
      isSoft: relationship.isOwner && !stored.entities[entity].key.isEmpty,
      deleteRule: declared.deleteRule,
      isAcyclic: declared.isAcyclic, isRetired: false, least: declared.least, most: declared.most)
  }

  func terms(of index: Index, of entity: Int) -> [ResolvedTerm] {
    index.terms.map { term in
      let declared = lookup.valid { () throws(ModelLookup.Complaint) in try lookup.term(term, of: entity) }
      return ResolvedTerm(path: dense(declared.path), isDescending: declared.isDescending)
    }
  }

  func groups(
    _ groups: GroupDeclaration, of entity: Int
  ) -> (keys: [ResolvedGroups.Key], values: [ResolvedGroups.Value]) {
    let keys = groups.keys.map { text in
      let key = lookup.valid { () throws(ModelLookup.Complaint) in try lookup.groupKey(text, of: entity) }
      return ResolvedGroups.Key(path: dense(key.path).canonical, transform: key.transform)
    }
    let values = groups.values.map { text in
      let value = lookup.valid { () throws(ModelLookup.Complaint) in try lookup.groupValue(text, of: entity) }
      return ResolvedGroups.Value(function: value.function, path: value.path.map { dense($0).canonical })
    }
    return (keys, values)
  }

  func fields(of names: [String], of entity: Int) -> [ResolvedPath.Field] {
    names.map { name in
      dense(
        lookup.valid { () throws(ModelLookup.Complaint) in try lookup.uniqueField(name, of: entity) }, of: entity)
    }
  }

  private func dense(_ path: ResolvedPath) -> ResolvedPath {
    let steps = path.steps.map { step in
      ResolvedPath.Step(
        relationship: dense(step.relationship), target: entityNumbers[step.target], isMany: step.isMany)
    }
    return ResolvedPath(
      start: entityNumbers[path.start], steps: steps, field: dense(path.field, of: path.end), type: path.type,
      order: path.order)
  }

  /// The reference is to the entity that declares the relationship, as all references of paths are.
  private func dense(_ reference: RelationshipReference) -> RelationshipReference {
    let reference = lookup.origin(of: reference)
    return RelationshipReference(
      entity: entityNumbers[reference.entity],
      relationship: relationshipNumbers[reference.entity][reference.relationship])
  }

  private func dense(_ field: ResolvedPath.Field, of entity: Int) -> ResolvedPath.Field {
    switch field {
    case .attribute(let number): .attribute(attributeNumbers[entity][number])
    case .target(let number): .target(relationshipNumbers[entity][number])
    case .id, .createdAt, .changedAt, .entity, .place: field
    }
  }
}
