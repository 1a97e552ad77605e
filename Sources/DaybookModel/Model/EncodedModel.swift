/// A model as the journal holds it: the declarations with their tags, and the retired parts.
///
/// Declarations refer to each other by name, as in a ``Model``, and retired parts by tag, because a later model may
/// reuse their names. ``ResolvedModel`` is made from it.
package struct EncodedModel: Sendable {
  /// The entities in the order of their declaration.
  package var entities: [EncodedEntity] = []
  var retiredEntities: [RetiredEntity] = []
  /// The named events in the order of their declaration.
  package var events: [EncodedEventType] = []
  var retiredEvents: [RetiredEventType] = []
  /// The next tag to assign.
  var nextTag: UInt16
  /// Whether the JSON has parts of a later version, which are omitted here.
  var hasLaterParts = false

  /// The model as it was declared.
  var declaration: Model { Model(entities: entities.map(\.declaration), events: events.map(\.declaration)) }

  /// The keys of the named events, which a program that does not know them may skip.
  static let eventsKey = "x-events"
  static let retiredEventsKey = "x-retiredEvents"
}

/// The declaration of an entity with the tags of its parts, and the fields that were retired.
package struct EncodedEntity: Sendable {
  package let tag: Tag
  /// The tag of the timeline, the index by `createdAt` that every entity has.
  let timelineTag: Tag
  package let name: String
  /// The name of its parent.
  var parent: String?
  var isAbstract = false
  let nameAttribute: String?
  package var attributes: [EncodedAttribute] = []
  package var relationships: [EncodedRelationship] = []
  var unique: [EncodedConstraint] = []
  var indexes: [EncodedIndex] = []
  var groups: [EncodedGroups] = []
  var rules: [String] = []
  var retired = RetiredFields()
  /// The fields that are the identity of a derived entity's rows; no part of the stored form.
  var key: [String] = []

  /// The entity as it was declared.
  var declaration: Entity {
    Entity(
      name: name, parent: parent, isAbstract: isAbstract, nameAttribute: nameAttribute,
      attributes: attributes.map(\.declaration),
      relationships: relationships.map(\.declaration), unique: unique.map(\.names),
      indexes: indexes.map(\.declaration), groups: groups.map(\.declaration), rules: rules)
  }
}

extension EncodedEntity {
  /// Assigns tags to the entity and its parts, in their order.
  init(tagging number: Int, in lookup: ModelLookup, from counter: inout TagCounter) {
    let declared = lookup.declared.entities[number]
    self.init(
      tag: counter.give(), timelineTag: counter.give(), name: declared.name, parent: declared.parent,
      isAbstract: declared.isAbstract, nameAttribute: declared.nameAttribute,
      attributes: declared.attributes.map { EncodedAttribute($0, tag: counter.give()) },
      relationships: declared.relationships.enumerated().map { index, relationship in
        let reference = RelationshipReference(entity: number, relationship: index)
        return EncodedRelationship(relationship, tag: counter.give(), isOwner: lookup.isOwner(reference))
      })
    indexes = declared.indexes.map { EncodedIndex(declaration: $0, tag: counter.give()) }
    unique = declared.unique.map { EncodedConstraint(names: $0, tag: counter.give()) }
    groups = declared.groups.map { EncodedGroups(declaration: $0, tag: counter.give(), keysTag: counter.give()) }
    rules = declared.rules
  }
}

/// The declaration of an attribute with its tag.
package struct EncodedAttribute: Sendable {
  /// The declaration, without a former name: its tag identifies the attribute.
  package let declaration: Attribute
  package var tag: Tag
  /// The value of objects that are older than the attribute.
  ///
  /// It is the default with which the attribute was added, even if the default changed later; null for an attribute of
  /// the first model.
  let valueWhenMissing: Value

  init(_ declaration: Attribute, tag: Tag, valueWhenMissing: Value = .null) {
    var declaration = declaration
    declaration.renamedFrom = nil
    self.declaration = declaration
    self.tag = tag
    self.valueWhenMissing = valueWhenMissing
  }
}

/// The declaration of one side of a relationship with its tag.
package struct EncodedRelationship: Sendable {
  /// The declaration, without a former name: its tag identifies the relationship.
  package let declaration: Relationship
  package let tag: Tag
  /// Whether the links belong to this side.
  ///
  /// It stays when a later model declares the sides in another order.
  let isOwner: Bool

  init(_ declaration: Relationship, tag: Tag, isOwner: Bool) {
    var declaration = declaration
    declaration.renamedFrom = nil
    self.declaration = declaration
    self.tag = tag
    self.isOwner = isOwner
  }
}

/// The names of a uniqueness constraint with its tag.
struct EncodedConstraint: Sendable {
  let names: [String]
  let tag: Tag
}

/// The declaration of an index with its tag.
struct EncodedIndex: Sendable {
  let declaration: Index
  let tag: Tag
}

/// The declaration of groups with the tags of their rows and of the index by their keys.
struct EncodedGroups: Sendable {
  let declaration: GroupDeclaration
  let tag: Tag
  let keysTag: Tag
}
