/// The dense numbers of all parts of a model, by their tags.
struct TagNumbers {
  private var entityNumbers: [Tag: Int] = [:]
  private var attributeNumbers: [Tag: (entity: Tag, number: Int)] = [:]
  private var relationshipNumbers: [Tag: (entity: Tag, number: Int)] = [:]
  private var targets: [Tag: Tag] = [:]

  init(_ stored: StoredModel) {
    let names = Dictionary(uniqueKeysWithValues: stored.model.entities.map { ($0.name, $0.tag!) })
    let declarations = Dictionary(uniqueKeysWithValues: stored.model.entities.map { ($0.tag!, $0) })
    for (number, tag) in (stored.model.entities.map { $0.tag! } + stored.entities.map(\.tag)).sorted().enumerated() {
      entityNumbers[tag] = number
      let declared = declarations[tag]
      let attributes = (declared?.attributes ?? []).map { $0.tag! }
      let relationships = (declared?.relationships ?? []).map { $0.tag! }
      for relationship in declared?.relationships ?? [] { targets[relationship.tag!] = names[relationship.target] }
      for relationship in stored.relationships[tag, default: []] { targets[relationship.tag] = relationship.target }
      let retiredAttributes = stored.attributes[tag, default: []].map(\.attribute.tag)
      let retiredRelationships = stored.relationships[tag, default: []].map(\.tag)
      for (number, field) in (attributes + retiredAttributes).sorted().enumerated() {
        attributeNumbers[field] = (tag, number)
      }
      for (number, field) in (relationships + retiredRelationships).sorted().enumerated() {
        relationshipNumbers[field] = (tag, number)
      }
    }
  }

  func resolve(_ relationship: StoredModel.RetiredRelationship) throws(ModelError) -> ResolvedRelationship {
    guard let target = entityNumbers[relationship.target], let inverse = relationshipNumbers[relationship.inverse],
      inverse.entity == relationship.target
    else {
      throw ModelError([ModelError.Fault("retired relationship \(relationship.name)", "leads nowhere")])
    }
    return ResolvedRelationship(
      tag: relationship.tag, name: relationship.name, target: target, inverse: inverse.number,
      isMany: relationship.isMany, isOptional: relationship.isOptional, isOrdered: relationship.isOrdered,
      isOwner: relationship.isOwner, deleteRule: relationship.deleteRule, isRetired: true)
  }

  func resolve(_ retired: StoredModel.RetiredAttribute, of entity: Tag) throws(ModelError) -> ResolvedAttribute {
    let attribute = retired.attribute
    guard let derived = retired.derived else { return attribute }
    guard let relationship = relationshipNumbers[derived.relationship], relationship.entity == entity,
      let target = targets[derived.relationship]
    else {
      throw ModelError([ModelError.Fault("retired attribute \(attribute.name)", "is derived over nothing")])
    }
    let source = derived.attribute.flatMap { attributeNumbers[$0] }
    guard derived.attribute == nil || source?.entity == target else {
      throw ModelError([ModelError.Fault("retired attribute \(attribute.name)", "is derived from nothing")])
    }
    let derivation = ResolvedDerivation(
      kind: derived.kind, relationship: relationship.number, attribute: source?.number)
    return ResolvedAttribute(
      tag: attribute.tag, name: attribute.name, type: attribute.type, isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue, valueWhenMissing: attribute.valueWhenMissing, order: attribute.order,
      derivation: derivation, isRetired: true)
  }
}
