/// An entity that the current model lacks and an earlier one had.
struct RetiredEntity: Sendable {
  let tag: Tag
  let name: String
  /// The tag of its parent, retired or not.
  let parent: Tag?
  let fields: RetiredFields
}

/// The fields of an entity that the current model lacks and an earlier one had.
struct RetiredFields: Sendable {
  var attributes: [RetiredAttribute] = []
  var relationships: [RetiredRelationship] = []
}

/// A retired attribute, with the tags that its derivation refers to.
struct RetiredAttribute: Sendable {
  let tag: Tag
  let name: String
  let type: AttributeType
  let isOptional: Bool
  let defaultValue: Value
  let valueWhenMissing: Value
  let order: StringOrder
  let derivation: Derivation?

  struct Derivation: Hashable, Sendable {
    let kind: ResolvedDerivation.Kind
    let relationship: Tag
    let attribute: Tag?
  }
}

/// One side of a retired relationship; its inverse is retired too.
struct RetiredRelationship: Sendable {
  let tag: Tag
  let name: String
  let target: Tag
  let inverse: Tag
  let isMany: Bool
  let isOptional: Bool
  let isOrdered: Bool
  let isOwner: Bool
  let deleteRule: DeleteRule
}

/// A named event that the current model lacks and an earlier one had.
struct RetiredEventType: Sendable {
  let tag: Tag
  let name: String
  /// The entity that it was about.
  let about: Tag
  let attributes: [RetiredAttribute]
}

extension RetiredEventType {
  /// Retires an event with all its attributes.
  init(_ event: ResolvedEventType, in model: ResolvedModel) {
    self.init(
      tag: event.tag, name: event.name, about: model.entities[event.about].tag,
      attributes: event.attributes.map { RetiredAttribute(ofEvent: $0) })
  }
}

extension RetiredEntity {
  /// Retires an entity with all its fields.
  init(_ entity: ResolvedEntity, in model: ResolvedModel) {
    tag = entity.tag
    name = entity.name
    parent = entity.parent.map { model.entities[$0].tag }
    fields = RetiredFields(
      attributes: entity.ownAttributes.map { RetiredAttribute(entity.attributes[$0], of: entity, in: model) },
      relationships: entity.ownRelationships.map { RetiredRelationship(entity.relationships[$0], in: model) })
  }
}

extension RetiredFields {
  /// Collects the fields that an entity has already retired.
  init(retiredIn entity: ResolvedEntity, in model: ResolvedModel) {
    attributes = entity.ownAttributes.map { entity.attributes[$0] }.filter(\.isRetired)
      .map { RetiredAttribute($0, of: entity, in: model) }
    relationships = entity.ownRelationships.map { entity.relationships[$0] }.filter(\.isRetired)
      .map { RetiredRelationship($0, in: model) }
  }
}

extension RetiredAttribute {
  init(_ attribute: ResolvedAttribute, of entity: ResolvedEntity, in model: ResolvedModel) {
    tag = attribute.tag
    name = attribute.name
    type = attribute.type
    isOptional = attribute.isOptional
    defaultValue = attribute.defaultValue
    valueWhenMissing = attribute.valueWhenMissing
    order = attribute.order
    derivation = attribute.derivation.map { derivation in
      let relationship = entity.relationships[derivation.relationship]
      let sources = model.entities[relationship.target].attributes
      return Derivation(
        kind: derivation.kind, relationship: relationship.tag, attribute: derivation.attribute.map { sources[$0].tag })
    }
  }
}

extension RetiredAttribute {
  /// Retires an attribute of a named event, which is never derived.
  init(ofEvent attribute: ResolvedAttribute) {
    self.init(
      tag: attribute.tag, name: attribute.name, type: attribute.type, isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue, valueWhenMissing: .null, order: .codepoint, derivation: nil)
  }
}

extension RetiredRelationship {
  init(_ relationship: ResolvedRelationship, in model: ResolvedModel) {
    let target = model.entities[relationship.target]
    self.init(
      tag: relationship.tag, name: relationship.name, target: target.tag,
      inverse: target.relationships[relationship.inverse].tag, isMany: relationship.isMany,
      isOptional: relationship.isOptional, isOrdered: relationship.isOrdered, isOwner: relationship.isOwner,
      deleteRule: relationship.deleteRule)
  }
}
