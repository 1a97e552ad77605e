/// The evolution of a store's model to a new one, step by step.
struct ModelEvolution {
  let old: ResolvedModel
  /// The new model as declared.
  let model: Model
  let lookup: ModelLookup
  var counter: TagCounter
  /// The new model with its tags, to which the steps add part by part.
  var stored: EncodedModel
  /// The numbers in the old model of the new model's parts; of fields with the entity that declared them.
  var entities: [Int?] = []
  var attributes: [[FormerField?]] = []
  var relationships: [[FormerField?]] = []
  var events: [Int?] = []
  var eventAttributes: [[Int?]] = []
  var faults: [Fault] = []
  var steps: [String] = []
  var checks: [ModelCheck] = []
  /// The rules that are new or other than before, by the tags of their entities, attributes and relationships.
  var changedRules: Set<Tag> = []

  /// The entities of the new model that are ancestors of entities with objects, and were none.
  var gainedAncestors: Set<Int> = []

  /// A field of the old model: the number of the entity that declared it, and the field's number.
  struct FormerField: Hashable {
    let entity: Int
    let number: Int
  }

  init(old: ResolvedModel, model: Model) {
    self.old = old
    self.model = model
    lookup = ModelLookup(model)
    counter = TagCounter(next: old.nextTag)
    let retired = old.entities.filter(\.isRetired).map { RetiredEntity($0, in: old) }
    let retiredEvents = old.events.filter(\.isRetired).map { RetiredEventType($0, in: old) }
    stored = EncodedModel(retiredEntities: retired, retiredEvents: retiredEvents, nextTag: old.nextTag)
  }

  mutating func add(_ place: String, _ message: String) {
    faults.append(Fault(place, message))
  }

  mutating func check(_ condition: ModelCheck.Condition, _ place: String, _ message: String) {
    checks.append(ModelCheck(condition: condition, fault: Fault(place, message)))
  }

  mutating func run() throws(ModelError) -> ModelChange {
    matchEntities()
    matchEvents()
    guard faults.isEmpty else { throw ModelError(faults) }
    compareHierarchies()
    compareEntities()
    noteGainedRules()
    compareEvents()
    retireMissing()
    retireMissingEvents()
    guard faults.isEmpty else { throw ModelError(faults) }
    try redefineDerived()
    try matchIndexes()
    try counter.check()
    return try change()
  }

  private mutating func matchEntities() {
    let living = old.entities.filter { !$0.isRetired }
    let match = NameMatch(
      model.entities.map { ($0.name, $0.renamedFrom) },
      among: Dictionary(uniqueKeysWithValues: living.map { ($0.name, $0.index) }))
    entities = match.numbers
    for complaint in match.complaints { add(model.entities[complaint.number].name, complaint.message) }
    // A field that another entity of the hierarchy declared is found after the entity's own.
    var open: [(field: DeclaredField, message: String)] = []
    for (number, declared) in model.entities.enumerated() {
      let former = entities[number].map { old.entities[$0] }
      let attributes = NameMatch(
        declared.attributes.map { ($0.name, $0.renamedFrom) }, among: former?.livingAttributes ?? [:])
      let relationships = NameMatch(
        declared.relationships.map { ($0.name, $0.renamedFrom) }, among: former?.livingRelationships ?? [:])
      self.attributes.append(attributes.numbers.map { $0.flatMap { FormerField($0, of: former) } })
      self.relationships.append(relationships.numbers.map { $0.flatMap { FormerField($0, of: former) } })
      for complaint in attributes.complaints {
        if attributes.numbers[complaint.number] == nil {
          open.append((.attribute(complaint.number, of: number), complaint.message))
        } else {
          add("\(declared.name).\(declared.attributes[complaint.number].name)", complaint.message)
        }
      }
      for complaint in relationships.complaints {
        if relationships.numbers[complaint.number] == nil {
          open.append((.relationship(complaint.number, of: number), complaint.message))
        } else {
          add("\(declared.name).\(declared.relationships[complaint.number].name)", complaint.message)
        }
      }
    }
    matchMovedFields()
    addOpenComplaints(open)
    matchInverses()
  }

  /// Matches the inverses of one-way relationships, which have no names of their own, by what they lead back over.
  ///
  /// So a hidden inverse may get a name, and lose it again.
  private mutating func matchInverses() {
    for (entity, declared) in model.entities.enumerated() {
      for (number, relationship) in declared.relationships.enumerated() {
        guard let former = relationships[entity][number] else { continue }
        let link = old.entities[former.entity].relationships[former.number]
        let inverse = lookup.validInverse(of: RelationshipReference(entity: entity, relationship: number))
        let wasHidden = old.entities[link.target].relationships[link.inverse].isHidden
        // A relationship that was its own inverse has no other one to match.
        guard wasHidden || relationship.isOneWay, !link.isMirrored, entities[inverse.entity] == link.target,
          relationships[inverse.entity][inverse.relationship] == nil
        else { continue }
        relationships[inverse.entity][inverse.relationship] = FormerField(entity: link.target, number: link.inverse)
      }
    }
  }

  private mutating func change() throws(ModelError) -> ModelChange {
    guard !steps.isEmpty else { return ModelChange(model: old) }
    stored.nextTag = counter.next
    let new = try ResolvedModel(resolving: stored)
    var change = ModelChange(model: new, steps: steps, checks: checks)
    change.changedRules = changedRules
    for entity in new.entities where !entity.isRetired {
      let counts = entity.inheritedCounts
      for (number, index) in entity.indexes.enumerated()
      where number >= counts.indexes && index.tag.number >= old.nextTag {
        change.newIndexes.append((entity.index, number))
      }
      for (number, constraint) in entity.constraints.enumerated()
      where number >= counts.constraints && constraint.tag.number >= old.nextTag {
        change.newConstraints.append((entity.index, number))
      }
      for (number, attribute) in entity.attributes.enumerated()
      where attribute.derivation != nil && !attribute.isRetired && attribute.tag.number >= old.nextTag {
        change.newDerived.append((entity.index, number))
      }
    }
    let indexes = Set(new.entities.flatMap { $0.indexes.map(\.tag) })
    let constraints = Set(new.entities.flatMap { $0.constraints.map(\.tag) })
    change.removedIndexTags = old.entities.flatMap { $0.ownIndexes.map(\.tag) }.filter { !indexes.contains($0) }
    change.removedConstraintTags = old.entities.flatMap { $0.ownConstraints.map(\.tag) }.filter {
      !constraints.contains($0)
    }
    return change
  }
}

private extension ModelEvolution.FormerField {
  init?(_ number: Int, of entity: ResolvedEntity?) {
    guard let entity else { return nil }
    self.init(entity: entity.index, number: number)
  }
}

/// The steps that turn a store's model into another one.
package struct ModelChange: Sendable {
  /// The new model; the old one if nothing changes.
  package var model: ResolvedModel
  /// The changes, one line each, for users: `add attribute Recipe.note (string, optional)`.
  package var steps: [String] = []
  /// The conditions on the objects; if one fails, the change is refused with the check's fault.
  package var checks: [ModelCheck] = []
  /// The indexes to build, by the numbers of the new model.
  package var newIndexes: [(entity: Int, index: Int)] = []
  package var removedIndexTags: [Tag] = []
  /// The uniqueness constraints to build; the change is refused if objects collide.
  package var newConstraints: [(entity: Int, constraint: Int)] = []
  package var removedConstraintTags: [Tag] = []
  /// The derived attributes to compute.
  package var newDerived: [(entity: Int, attribute: Int)] = []
  /// What has new or other rules, by tag: entities, attributes and relationships that existed before, with objects that
  /// may break them.
  package var changedRules: Set<Tag> = []

  /// Whether the models are equal, apart from the order of declarations.
  package var isEmpty: Bool { steps.isEmpty }
}

/// A condition of a model change on the objects in the store.
package struct ModelCheck: Hashable, Sendable {
  package let condition: Condition
  /// The fault to throw if the condition does not hold.
  package let fault: Fault

  /// The condition, with the old model's numbers.
  package enum Condition: Hashable, Sendable {
    /// The entity has no objects of its own; its descendants may have some.
    case noObjects(entity: Int)
    /// No object of the entity or of a descendant lacks a value of the attribute.
    case noNulls(entity: Int, attribute: Int)
    /// No object of the entity or of a descendant lacks a target of the to-one relationship, whichever side owns it.
    case noEmptyLinks(entity: Int, relationship: Int)
    /// The to-one relationship to the same entity leads from no object back to it.
    case noCycles(entity: Int, relationship: Int)
  }
}
