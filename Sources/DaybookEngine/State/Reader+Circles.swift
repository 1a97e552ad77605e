import DaybookModel

extension Reader {
  /// Returns a circle over a to-one relationship of an entity to itself, or `nil` if there is none.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects of the entity.
  package func circle(over reference: RelationshipReference) throws -> Circle? {
    var search = CircleSearch(reference)
    var found: Circle?
    try forEachObject(of: reference.entity) { id, _ in
      found = try search.circle(from: id) { id in
        try target(of: reference, from: ObjectKey(entity: reference.entity, id: id))?.id
      }
      return found == nil
    }
    return found
  }

  /// Returns a circle over each relationship that is acyclic by the model and leads in one.
  package func circles() throws -> [Circle] {
    var circles: [Circle] = []
    for entity in model.entities where !entity.isRetired {
      for (number, relationship) in entity.relationships.enumerated() where relationship.isAcyclic {
        let reference = RelationshipReference(entity: entity.index, relationship: number)
        if let circle = try circle(over: reference) { circles.append(circle) }
      }
    }
    return circles
  }
}
