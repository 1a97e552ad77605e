/// A validated model, with every name resolved and every tag assigned.
///
/// All code below the declarations works with it. Entities, attributes and relationships are numbered densely, in the
/// order of their tags, fields in the whole hierarchy of their entity, and refer to each other by these numbers. A part that a later model removed keeps its place,
/// marked as retired: the journal, and the values that objects keep, still refer to it. So evolving a model keeps the
/// meaning of every number, and only appends, unless it makes one hierarchy of two. The order of the declarations is in ``model``.
package final class ResolvedModel: Sendable {
  /// The stored form, from which this model is made.
  package let stored: EncodedModel
  /// The declaration.
  package let model: Model
  /// In the order of their tags; a retired one keeps its place, without indexes and constraints.
  package let entities: [ResolvedEntity]
  /// Whether an entity declares groups.
  package let declaresGroups: Bool
  /// Whether an entity has a parent.
  package let hasHierarchies: Bool
  /// The numbers of the entities without a parent, rising; retired ones too.
  package let roots: [Int]
  /// The named events in the order of their tags; a retired one keeps its place.
  package let events: [ResolvedEventType]

  private let entityByName: [String: Int]
  private let entityByTag: [Int32]
  private let relationshipByTag: [RelationshipReference?]
  /// The entities and relationships with derived tags, which the journal's model does not have.
  private let derivedEntities: [(tag: Tag, index: Int)]
  private let derivedRelationshipByTag: [Tag: RelationshipReference]
  private let eventByName: [String: Int]
  private let eventByTag: [Tag: Int]

  /// Resolves a stored model with valid declarations and distinct tags.
  ///
  /// - Throws: `ModelError` if a retired part refers to a tag that does not fit.
  init(resolving stored: EncodedModel) throws(ModelError) {
    self.stored = stored
    let completed = stored.declaration
    model = completed.withoutHiddenInverses()
    let builder = try ModelBuilder(stored, lookup: ModelLookup(completed))
    entities = try builder.entities()
    events = try builder.events()
    declaresGroups = entities.contains { !$0.groups.isEmpty }
    hasHierarchies = entities.contains(where: \.hasRelatives)
    roots = entities.filter { $0.lineage.count == 1 }.map(\.index)
    eventByName = Dictionary(
      events.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    eventByTag = Dictionary(events.enumerated().map { ($1.tag, $0) }, uniquingKeysWith: { first, _ in first })
    entityByName = Dictionary(
      entities.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var entityByTag = [Int32](repeating: -1, count: Int(stored.nextTag))
    var relationshipByTag = [RelationshipReference?](repeating: nil, count: Int(stored.nextTag))
    var derivedEntities: [(tag: Tag, index: Int)] = []
    var derivedRelationshipByTag: [Tag: RelationshipReference] = [:]
    for (index, entity) in entities.enumerated() {
      if entity.tag.number >= stored.nextTag {
        derivedEntities.append((entity.tag, index))
      } else {
        entityByTag[Int(entity.tag.number)] = Int32(index)
      }
      for position in entity.ownRelationships {
        let relationship = entity.relationships[position]
        let reference = RelationshipReference(entity: index, relationship: position)
        if relationship.tag.number >= stored.nextTag {
          derivedRelationshipByTag[relationship.tag] = reference
        } else {
          relationshipByTag[Int(relationship.tag.number)] = reference
        }
      }
    }
    self.entityByTag = entityByTag
    self.relationshipByTag = relationshipByTag
    self.derivedEntities = derivedEntities
    self.derivedRelationshipByTag = derivedRelationshipByTag
  }

  /// The next tag to assign.
  package var nextTag: UInt16 { stored.nextTag }
  /// Whether the stored form has parts of a later version, which are omitted here.
  package var hasLaterParts: Bool { stored.hasLaterParts }

  /// The version of a store's format that knows all parts of the stored form; earlier ones skip them.
  ///
  /// Named events and acyclic relationships came with the second, rules and the orders of locales with the third, declared
  /// groups with the fifth. Earlier ones cannot skip what came later: one-way relationships with the sixth, hierarchies of
  /// entities with the seventh, and relationships that are their own inverses with the eighth.
  package var neededVersion: UInt64 {
    if entities.contains(where: { $0.relationships.contains(where: \.isMirrored) }) { return 8 }
    if entities.contains(where: { $0.hasRelatives || $0.isAbstract }) { return 7 }
    if entities.contains(where: { $0.relationships.contains(where: \.isHidden) }) { return 6 }
    if declaresGroups { return 5 }
    if entities.contains(where: \.hasRules) || !locales.isEmpty { return 3 }
    if !events.isEmpty || entities.contains(where: { $0.relationships.contains(where: \.isAcyclic) }) { return 2 }
    return 1
  }

  /// The identifiers of the locales by which attributes are ordered.
  package var locales: Set<String> {
    Set(entities.flatMap(\.attributes).filter { !$0.isRetired }.compactMap { $0.order.locale?.identifier })
  }

  /// Returns the number of the entity with a name, or `nil` if it is retired or unknown.
  package func entity(named name: String) -> Int? { entityByName[name] }

  /// Returns the number of the entity with a tag, or `nil` if it is unknown.
  package func entity(tagged tag: Tag) -> Int? {
    guard tag.number < nextTag else {
      // They are few, and each event has the tag of its entity: a hash takes longer than to compare them.
      for entity in derivedEntities where entity.tag == tag { return entity.index }
      return nil
    }
    let index = entityByTag[Int(tag.number)]
    return index < 0 ? nil : Int(index)
  }

  /// Returns the relationship with a tag, or `nil` if it is unknown.
  package func relationship(tagged tag: Tag) -> RelationshipReference? {
    tag.number < nextTag ? relationshipByTag[Int(tag.number)] : derivedRelationshipByTag[tag]
  }

  /// Returns the number of the named event with a name, or `nil` if it is retired or unknown.
  package func event(named name: String) -> Int? { eventByName[name] }

  /// Returns the number of the named event with a tag, or `nil` if it is unknown.
  package func event(tagged tag: Tag) -> Int? { eventByTag[tag] }

  /// The numbers of an entity and of its descendants.
  package func members(of entity: Int) -> [Int] { [entity] + entities[entity].descendants }

  /// Returns the reference to a relationship in the entity that declares it, which may be an ancestor.
  package func declaring(_ reference: RelationshipReference) -> RelationshipReference {
    RelationshipReference(entity: self[reference].entity, relationship: reference.relationship)
  }

  /// Returns the entity that declares a constraint of an entity, which may be an ancestor.
  package func declaring(constraint: Int, of entity: Int) -> Int {
    entities[entity].lineage.first { constraint < entities[$0].constraints.count } ?? entity
  }

  /// Returns the key by which an object is found, whichever entity of its hierarchy names it.
  package func rootKey(_ key: ObjectKey) -> ObjectKey { ObjectKey(entity: entities[key.entity].root, id: key.id) }

  package subscript(_ reference: RelationshipReference) -> ResolvedRelationship {
    entities[reference.entity].relationships[reference.relationship]
  }
}

extension ResolvedModel {
  /// Validates a model for a new store, and assigns its tags.
  ///
  /// The tags go to each entity in order, then to its timeline, attributes, relationships, indexes, uniqueness
  /// constraints and groups; after the entities to each named event and its attributes. Former names in the model are removed, because a new store has none.
  ///
  /// - Throws: All faults of the model.
  package convenience init(creating model: Model) throws(ModelError) {
    let faults = ModelValidation.faults(of: model)
    guard faults.isEmpty else { throw ModelError(faults) }
    let model = model.completed().normalized()
    let lookup = ModelLookup(model)
    var counter = TagCounter()
    let entities = model.entities.indices.map { EncodedEntity(tagging: $0, in: lookup, from: &counter) }
    let events = model.events.map { EncodedEventType(tagging: $0, from: &counter) }
    try counter.check()
    try self.init(resolving: EncodedModel(entities: entities, events: events, nextTag: counter.next))
  }

  /// Resolves a model from its stored form, the inverse of ``storedJSON``.
  ///
  /// - Throws: All faults of the form; the form comes from a file, so it can be anything.
  package convenience init(stored json: JSONValue) throws(ModelError) {
    var reader = ModelReader(isStored: true)
    let stored = reader.storedModel(json)
    guard reader.faults.isEmpty else { throw ModelError(reader.faults) }
    let faults = stored.tagFaults() + ModelValidation.faults(of: stored.declaration, allowingHidden: true)
    guard faults.isEmpty else { throw ModelError(faults) }
    let owners = stored.ownerFaults()
    guard owners.isEmpty else { throw ModelError(owners) }
    try self.init(resolving: stored)
  }

  /// The stored form; ``init(stored:)`` restores the same resolved model from it.
  package var storedJSON: JSONValue { ModelWriter.json(of: stored) }

  /// Returns the change that turns this model into `model`.
  ///
  /// Entities, attributes, relationships and named events are matched by name, or by `renamedFrom`, and keep their tags and numbers;
  /// new parts receive new ones, and missing parts are retired. An index, a uniqueness constraint or a derived
  /// attribute keeps its tag if its terms, fields or derivation are the same.
  ///
  /// - Throws: All faults of the model and all unsupported changes, each with a remedy.
  package func evolved(to model: Model) throws(ModelError) -> ModelChange {
    let faults = ModelValidation.faults(of: model)
    guard faults.isEmpty else { throw ModelError(faults) }
    var evolution = ModelEvolution(old: self, model: model.completed().normalized())
    return try evolution.run()
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
