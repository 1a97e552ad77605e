/// A model that was found to be right, with every name looked up and every tag given: what all code below the
/// declarations works with.
///
/// Entities, attributes and relationships are numbered densely, and refer to each other by these numbers. What a later
/// model removed is still here, marked as retired: the journal, and the values that objects keep, still speak of it.
package final class ResolvedModel: Sendable {
  /// The declaration, with tags.
  package let model: Model
  /// Retired entities last.
  package let entities: [ResolvedEntity]
  /// The next tag to give.
  package let nextTag: UInt16

  private let entityByName: [String: Int]
  private let entityByTag: [Int16]
  private let relationshipByTag: [RelationshipReference?]

  package init(model: Model, entities: [ResolvedEntity], nextTag: UInt16) {
    self.model = model
    self.entities = entities
    self.nextTag = nextTag
    entityByName = Dictionary(
      entities.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var entityByTag = [Int16](repeating: -1, count: Int(nextTag))
    var relationshipByTag = [RelationshipReference?](repeating: nil, count: Int(nextTag))
    for (index, entity) in entities.enumerated() {
      entityByTag[Int(entity.tag.number)] = Int16(index)
      for (position, relationship) in entity.relationships.enumerated() {
        relationshipByTag[Int(relationship.tag.number)] = RelationshipReference(entity: index, relationship: position)
      }
    }
    self.entityByTag = entityByTag
    self.relationshipByTag = relationshipByTag
  }

  /// The number of the entity of this name, unless it is retired or was never there.
  package func entity(named name: String) -> Int? { entityByName[name] }

  /// The number of the entity with this tag.
  package func entity(tagged tag: Tag) -> Int? {
    guard tag.number < nextTag else { return nil }
    let index = entityByTag[Int(tag.number)]
    return index < 0 ? nil : Int(index)
  }

  /// The relationship with this tag.
  package func relationship(tagged tag: Tag) -> RelationshipReference? {
    tag.number < nextTag ? relationshipByTag[Int(tag.number)] : nil
  }

  package subscript(_ reference: RelationshipReference) -> ResolvedRelationship {
    entities[reference.entity].relationships[reference.relationship]
  }
}

/// A relationship of an entity, by their numbers.
@usableFromInline
package struct RelationshipReference: Hashable, Sendable {
  @usableFromInline package let entity: Int
  package let relationship: Int

  package init(entity: Int, relationship: Int) {
    self.entity = entity
    self.relationship = relationship
  }
}

package struct ResolvedEntity: Sendable {
  package let index: Int
  package let tag: Tag
  package let name: String
  package let isRetired: Bool
  /// Stored, derived and retired attributes.
  package let attributes: [ResolvedAttribute]
  package let relationships: [ResolvedRelationship]
  /// The number of the name attribute.
  package let nameAttribute: Int?
  /// The timeline first, then the model's indexes in its order.
  package let views: [ResolvedView]
  package let constraints: [ResolvedConstraint]

  private let attributeByName: [String: Int]
  private let attributeByTag: [Tag: Int]
  private let relationshipByName: [String: Int]

  package init(
    index: Int, tag: Tag, name: String, isRetired: Bool, attributes: [ResolvedAttribute],
    relationships: [ResolvedRelationship], nameAttribute: Int?, views: [ResolvedView],
    constraints: [ResolvedConstraint]
  ) {
    self.index = index
    self.tag = tag
    self.name = name
    self.isRetired = isRetired
    self.attributes = attributes
    self.relationships = relationships
    self.nameAttribute = nameAttribute
    self.views = views
    self.constraints = constraints
    attributeByName = Dictionary(
      attributes.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    attributeByTag = Dictionary(
      attributes.enumerated().map { ($1.tag, $0) }, uniquingKeysWith: { first, _ in first })
    relationshipByName = Dictionary(
      relationships.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  package func attribute(named name: String) -> Int? { attributeByName[name] }
  package func attribute(tagged tag: Tag) -> Int? { attributeByTag[tag] }
  package func relationship(named name: String) -> Int? { relationshipByName[name] }
}

package struct ResolvedAttribute: Sendable {
  package let tag: Tag
  package let name: String
  package let type: AttributeType
  /// Whether an object may lack a value; true for derived minima and maxima, which are null over nothing.
  package let isOptional: Bool
  /// ``Value/null`` where there is none.
  package let defaultValue: Value
  package let order: StringOrder
  package let derivation: ResolvedDerivation?
  package let isRetired: Bool

  package init(
    tag: Tag, name: String, type: AttributeType, isOptional: Bool, defaultValue: Value, order: StringOrder,
    derivation: ResolvedDerivation?, isRetired: Bool
  ) {
    self.tag = tag
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.order = order
    self.derivation = derivation
    self.isRetired = isRetired
  }
}

/// What a derived attribute is computed from: a to-many relationship of the same entity, and for all but a count a
/// stored attribute of its target.
package struct ResolvedDerivation: Hashable, Sendable {
  package enum Kind: String, Sendable { case count, sum, minimum, maximum }
  package let kind: Kind
  package let relationship: Int
  package let attribute: Int?

  package init(kind: Kind, relationship: Int, attribute: Int?) {
    self.kind = kind
    self.relationship = relationship
    self.attribute = attribute
  }
}

package struct ResolvedRelationship: Sendable {
  package let tag: Tag
  package let name: String
  /// The number of the target entity.
  package let target: Int
  /// The number of the inverse among the target's relationships.
  package let inverse: Int
  package let isMany: Bool
  package let isOptional: Bool
  package let isOrdered: Bool
  /// Whether the links of this relationship and its inverse belong to this side: the to-one side; where both are
  /// to-one or both to-many the ordered side, else the side that the model declares first.
  package let isOwner: Bool
  package let deleteRule: DeleteRule
  package let isRetired: Bool

  package init(
    tag: Tag, name: String, target: Int, inverse: Int, isMany: Bool, isOptional: Bool, isOrdered: Bool,
    isOwner: Bool, deleteRule: DeleteRule, isRetired: Bool
  ) {
    self.tag = tag
    self.name = name
    self.target = target
    self.inverse = inverse
    self.isMany = isMany
    self.isOptional = isOptional
    self.isOrdered = isOrdered
    self.isOwner = isOwner
    self.deleteRule = deleteRule
    self.isRetired = isRetired
  }
}

package struct ResolvedView: Sendable {
  package let tag: Tag
  package let terms: [ResolvedTerm]

  package init(tag: Tag, terms: [ResolvedTerm]) {
    self.tag = tag
    self.terms = terms
  }
}

package struct ResolvedTerm: Hashable, Sendable {
  package let path: ResolvedPath
  package let isDescending: Bool
  /// The type of the values, and for strings their order.
  package let type: AttributeType
  package let order: StringOrder

  package init(path: ResolvedPath, isDescending: Bool, type: AttributeType, order: StringOrder) {
    self.path = path
    self.isDescending = isDescending
    self.type = type
    self.order = order
  }
}

/// A way from an object over to-one relationships to a field.
package struct ResolvedPath: Hashable, Sendable {
  /// Empty for a field of the object itself.
  package let steps: [RelationshipReference]
  package let field: Field

  package init(steps: [RelationshipReference], field: Field) {
    self.steps = steps
    self.field = field
  }

  package enum Field: Hashable, Sendable {
    /// The attribute of this number.
    case attribute(Int)
    /// The identity of the target of the to-one relationship of this number.
    case target(Int)
    case id, createdAt, changedAt
  }
}

package struct ResolvedConstraint: Sendable {
  package let tag: Tag
  /// Attributes and to-one relationships that the entity owns.
  package let fields: [ResolvedPath.Field]

  package init(tag: Tag, fields: [ResolvedPath.Field]) {
    self.tag = tag
    self.fields = fields
  }
}

/// An object, by the number of its entity and its identity.
@usableFromInline
package struct ObjectKey: Hashable, Sendable {
  @usableFromInline package let entity: Int
  @usableFromInline package let id: ObjectID

  @inlinable
  package init(entity: Int, id: ObjectID) {
    self.entity = entity
    self.id = id
  }
}
