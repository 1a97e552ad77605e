/// A validated model, with every name resolved and every tag assigned.
///
/// All code below the declarations works with it. Entities, attributes and relationships are numbered densely, in the
/// order of their tags, and refer to each other by these numbers. A part that a later model removed keeps its place,
/// marked as retired: the journal, and the values that objects keep, still refer to it. So evolving a model keeps the
/// meaning of every number, and only appends. The order of the declarations is in ``model``.
package final class ResolvedModel: Sendable {
  /// The declaration, with tags.
  package let model: Model
  /// In the order of their tags; a retired one keeps its place, without views and constraints.
  package let entities: [ResolvedEntity]
  /// The next tag to assign.
  package let nextTag: UInt16
  /// Whether the stored form has parts of a later version, which are omitted here.
  package let hasLaterParts: Bool

  private let entityByName: [String: Int]
  private let entityByTag: [Int32]
  private let relationshipByTag: [RelationshipReference?]

  package init(model: Model, entities: [ResolvedEntity], nextTag: UInt16, hasLaterParts: Bool = false) {
    self.hasLaterParts = hasLaterParts
    self.model = model
    self.entities = entities
    self.nextTag = nextTag
    entityByName = Dictionary(
      entities.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var entityByTag = [Int32](repeating: -1, count: Int(nextTag))
    var relationshipByTag = [RelationshipReference?](repeating: nil, count: Int(nextTag))
    for (index, entity) in entities.enumerated() {
      entityByTag[Int(entity.tag.number)] = Int32(index)
      for (position, relationship) in entity.relationships.enumerated() {
        relationshipByTag[Int(relationship.tag.number)] = RelationshipReference(entity: index, relationship: position)
      }
    }
    self.entityByTag = entityByTag
    self.relationshipByTag = relationshipByTag
  }

  /// Returns the number of the entity with a name, or `nil` if it is retired or unknown.
  package func entity(named name: String) -> Int? { entityByName[name] }

  /// Returns the number of the entity with a tag, or `nil` if it is unknown.
  package func entity(tagged tag: Tag) -> Int? {
    guard tag.number < nextTag else { return nil }
    let index = entityByTag[Int(tag.number)]
    return index < 0 ? nil : Int(index)
  }

  /// Returns the relationship with a tag, or `nil` if it is unknown.
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
