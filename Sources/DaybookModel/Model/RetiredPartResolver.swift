/// Resolves the retired parts of a model, which refer to others by tag.
///
/// A retired part comes from a file, so its tags may lead nowhere.
struct RetiredPartResolver {
  private var fields: [Tag: RetiredFields] = [:]
  private var entityNumbers: [Tag: Int] = [:]
  private var attributeNumbers: [Tag: (entity: Tag, number: Int)] = [:]
  private var relationshipNumbers: [Tag: (entity: Tag, number: Int)] = [:]
  /// The target entity of each relationship.
  private var targets: [Tag: Tag] = [:]

  /// - Parameter stored: A model with distinct tags.
  init(_ stored: EncodedModel) {
    let tags = stored.entities.map(\.tag) + stored.retiredEntities.map(\.tag)
    for (tag, number) in zip(tags, tags.ranks) { entityNumbers[tag] = number }
    let entities = Dictionary(stored.entities.map { ($0.name, $0.tag) }, uniquingKeysWith: { first, _ in first })
    for entity in stored.entities {
      for relationship in entity.relationships { targets[relationship.tag] = entities[relationship.declaration.target] }
      add(
        entity.retired, of: entity.tag, attributes: entity.attributes.map(\.tag),
        relationships: entity.relationships.map(\.tag))
    }
    for entity in stored.retiredEntities { add(entity.fields, of: entity.tag, attributes: [], relationships: []) }
  }

  private mutating func add(
    _ retired: RetiredFields, of entity: Tag, attributes: [Tag], relationships: [Tag]
  ) {
    fields[entity] = retired
    for relationship in retired.relationships { targets[relationship.tag] = relationship.target }
    let attributes = attributes + retired.attributes.map(\.tag)
    for (tag, number) in zip(attributes, attributes.ranks) { attributeNumbers[tag] = (entity, number) }
    let relationships = relationships + retired.relationships.map(\.tag)
    for (tag, number) in zip(relationships, relationships.ranks) { relationshipNumbers[tag] = (entity, number) }
  }

  func resolve(_ entity: RetiredEntity, number: Int) throws(ModelError) -> ResolvedEntity {
    ResolvedEntity(
      index: number, tag: entity.tag, name: entity.name, isRetired: true,
      attributes: try attributes(entity.fields, of: entity.tag).sorted { $0.tag < $1.tag },
      relationships: try relationships(entity.fields, of: entity.tag).sorted { $0.tag < $1.tag },
      nameAttribute: nil, indexes: [], constraints: [])
  }

  func attributes(_ fields: RetiredFields, of entity: Tag) throws(ModelError) -> [ResolvedAttribute] {
    var resolved: [ResolvedAttribute] = []
    for attribute in fields.attributes { resolved.append(try resolve(attribute, of: entity)) }
    return resolved
  }

  func relationships(_ fields: RetiredFields, of entity: Tag) throws(ModelError) -> [ResolvedRelationship] {
    var resolved: [ResolvedRelationship] = []
    for relationship in fields.relationships { resolved.append(try resolve(relationship, of: entity)) }
    return resolved
  }

  private func resolve(_ attribute: RetiredAttribute, of entity: Tag) throws(ModelError) -> ResolvedAttribute {
    var derivation: ResolvedDerivation?
    if let derived = attribute.derivation {
      guard let relationship = relationshipNumbers[derived.relationship], relationship.entity == entity,
        let target = targets[derived.relationship]
      else {
        throw ModelError([Fault("retired attribute \(attribute.name)", "is derived over nothing")])
      }
      let source = derived.attribute.flatMap { attributeNumbers[$0] }
      guard derived.attribute == nil || source?.entity == target else {
        throw ModelError([Fault("retired attribute \(attribute.name)", "is derived from nothing")])
      }
      derivation = ResolvedDerivation(
        kind: derived.kind, relationship: relationship.number, attribute: source?.number)
    }
    return ResolvedAttribute(
      tag: attribute.tag, name: attribute.name, type: attribute.type, isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue, valueWhenMissing: attribute.valueWhenMissing, order: attribute.order,
      derivation: derivation, isRetired: true)
  }

  /// Resolves a retired relationship; its inverse must be retired too, and lead back.
  private func resolve(_ relationship: RetiredRelationship, of entity: Tag) throws(ModelError) -> ResolvedRelationship {
    let inverse = fields[relationship.target]?.relationships.first { $0.tag == relationship.inverse }
    guard let inverse, inverse.target == entity, inverse.inverse == relationship.tag, inverse.tag != relationship.tag,
      inverse.isOwner != relationship.isOwner, let target = entityNumbers[relationship.target],
      let number = relationshipNumbers[relationship.inverse]?.number
    else {
      throw ModelError([Fault("retired relationship \(relationship.name)", "its inverse does not fit it")])
    }
    return ResolvedRelationship(
      tag: relationship.tag, name: relationship.name, target: target, inverse: number, isMany: relationship.isMany,
      isOptional: relationship.isOptional, isOrdered: relationship.isOrdered, isOwner: relationship.isOwner,
      deleteRule: relationship.deleteRule, isRetired: true)
  }
}
