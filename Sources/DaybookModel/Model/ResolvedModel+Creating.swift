extension ResolvedModel {
  /// Validates a model for a new store, and assigns its tags.
  ///
  /// The tags go to each entity in order, then to its timeline, attributes, relationships, indexes and uniqueness
  /// constraints. Former names in the model are removed, because a new store has none.
  ///
  /// - Throws: All faults of the model.
  package convenience init(creating model: Model) throws(ModelError) {
    let faults = ModelValidation.faults(of: model)
    guard faults.isEmpty else { throw ModelError(faults) }
    var counter = TagCounter()
    var tagged = model.settled()
    let lookup = ModelLookup(model)
    for entity in tagged.entities.indices {
      tagged.entities[entity].giveTags(from: &counter)
      tagged.entities[entity].forgetFormerNames()
      for relationship in tagged.entities[entity].relationships.indices {
        let reference = RelationshipReference(entity: entity, relationship: relationship)
        tagged.entities[entity].relationships[relationship].isOwner = lookup.isOwner(reference)
      }
    }
    try counter.check()
    let resolved = ModelBuilder(tagged, retired: RetiredParts()).build(nextTag: counter.next)
    self.init(model: resolved.model, entities: resolved.entities, nextTag: resolved.nextTag)
  }
}

/// Assigns tags in ascending order.
struct TagCounter {
  private var number: Int

  init(next: UInt16 = 1) { number = Int(next) }

  /// Assigns tags beyond the limit too, so that a model of any size can be walked.
  ///
  /// ``check()`` then refuses it.
  mutating func give() -> Tag {
    defer { number += 1 }
    return Tag(UInt16(clamping: number))
  }

  func check() throws(ModelError) {
    guard number <= Int(UInt16.max) else {
      throw ModelError([
        ModelError.Fault(
          "",
          "needs tags up to \(number - 1), and a store has \(UInt16.max - 1) over all its time; declare fewer things")
      ])
    }
  }

  var next: UInt16 { UInt16(clamping: number) }
}

private extension Entity {
  /// Assigns a tag to each part of the entity that has none.
  mutating func giveTags(from counter: inout TagCounter) {
    tag = tag ?? counter.give()
    timelineTag = timelineTag ?? counter.give()
    for index in attributes.indices where attributes[index].tag == nil { attributes[index].tag = counter.give() }
    for index in relationships.indices where relationships[index].tag == nil {
      relationships[index].tag = counter.give()
    }
    for index in indexes.indices where indexes[index].tag == nil { indexes[index].tag = counter.give() }
    while uniqueTags.count < unique.count { uniqueTags.append(counter.give()) }
  }
}
