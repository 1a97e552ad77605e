/// Resolves the retired parts of a model, which refer to others by tag.
///
/// A retired part comes from a file, so its tags may lead nowhere.
struct RetiredPartResolver {
  private let families: EntityFamilies
  private var fields: [Tag: RetiredFields] = [:]
  private var entityNumbers: [Tag: Int] = [:]
  private var attributeOwners: [Tag: Tag] = [:]
  private var relationshipOwners: [Tag: Tag] = [:]
  /// The target entity of each relationship.
  private var targets: [Tag: Tag] = [:]

  /// - Parameter stored: A model with distinct tags.
  init(_ stored: EncodedModel, _ families: EntityFamilies) {
    self.families = families
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
    for tag in attributes + retired.attributes.map(\.tag) { attributeOwners[tag] = entity }
    for tag in relationships + retired.relationships.map(\.tag) { relationshipOwners[tag] = entity }
  }

  /// Returns the number of an attribute that is in the hierarchy of an entity, or `nil` if it is not.
  private func number(ofAttribute tag: Tag, around entity: Tag) -> Int? {
    attributeOwners[tag].flatMap { owner in
      families.root(of: owner) == families.root(of: entity) ? families.number(ofAttribute: tag, of: owner) : nil
    }
  }

  /// Returns the number of a relationship that is in the hierarchy of an entity, or `nil` if it is not.
  private func number(ofRelationship tag: Tag, around entity: Tag) -> Int? {
    relationshipOwners[tag].flatMap { owner in
      families.root(of: owner) == families.root(of: entity) ? families.number(ofRelationship: tag, of: owner) : nil
    }
  }

  private func number(of entity: Tag) throws(ModelError) -> Int {
    guard let number = entityNumbers[entity] else {
      throw ModelError([Fault("the entity with the tag \(entity)", "is not in the model")])
    }
    return number
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
      guard let relationship = number(ofRelationship: derived.relationship, around: entity),
        let target = targets[derived.relationship]
      else {
        throw ModelError([Fault("retired attribute \(attribute.name)", "is derived over nothing")])
      }
      let source = derived.attribute.flatMap { number(ofAttribute: $0, around: target) }
      guard derived.attribute == nil || source != nil else {
        throw ModelError([Fault("retired attribute \(attribute.name)", "is derived from nothing")])
      }
      derivation = ResolvedDerivation(
        kind: derived.kind, relationship: relationship, attribute: source)
    }
    return ResolvedAttribute(
      tag: attribute.tag, entity: try number(of: entity), name: attribute.name, type: attribute.type,
      isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue, valueWhenMissing: attribute.valueWhenMissing, order: attribute.order,
      derivation: derivation, isRetired: true)
  }

  /// Resolves a retired relationship; its inverse must be retired too, and lead back, unless it is its own inverse.
  private func resolve(_ relationship: RetiredRelationship, of entity: Tag) throws(ModelError) -> ResolvedRelationship {
    let inverse = fields[relationship.target]?.relationships.first { $0.tag == relationship.inverse }
    let isMirrored = relationship.inverse == relationship.tag
    guard let inverse, inverse.target == entity, inverse.inverse == relationship.tag,
      isMirrored ? relationship.isOwner : inverse.isOwner != relationship.isOwner,
      let target = entityNumbers[relationship.target],
      let number = number(ofRelationship: relationship.inverse, around: relationship.target)
    else {
      throw ModelError([Fault("retired relationship \(relationship.name)", "its inverse does not fit it")])
    }
    return ResolvedRelationship(
      tag: relationship.tag, entity: try self.number(of: entity), name: relationship.name, target: target,
      inverse: number, isMany: relationship.isMany,
      isOptional: relationship.isOptional, isOrdered: relationship.isOrdered, isOwner: relationship.isOwner,
      isMirrored: isMirrored, deleteRule: relationship.deleteRule, isRetired: true)
  }
}
