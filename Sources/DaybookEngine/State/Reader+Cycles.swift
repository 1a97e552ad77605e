import DaybookModel

extension Reader {
  /// Returns a cycle over a to-one relationship of an entity to itself, or `nil` without cycles.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects of the entity.
  package func cycle(over reference: RelationshipReference) throws -> Cycle? {
    var search = CycleSearch(reference)
    var found: Cycle?
    try forEachObject(of: reference.entity) { id, _ in
      found = try search.cycle(from: id) { id in
        try target(of: reference, from: ObjectKey(entity: reference.entity, id: id))?.id
      }
      return found == nil
    }
    return found
  }

  /// Returns a cycle over each relationship that is acyclic by the model and leads in one.
  package func cycles() throws -> [Cycle] {
    var cycles: [Cycle] = []
    for entity in model.entities where !entity.isRetired {
      for number in entity.ownRelationships where entity.relationships[number].isAcyclic {
        let reference = RelationshipReference(entity: entity.index, relationship: number)
        if let cycle = try cycle(over: reference) { cycles.append(cycle) }
      }
    }
    return cycles
  }
}
