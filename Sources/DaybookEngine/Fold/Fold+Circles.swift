import DaybookModel

/// Finds the circles that a commit closes over acyclic relationships.
extension Fold {
  /// Records a link over an acyclic relationship, which may close a circle.
  ///
  /// Only a fold that checks the rules of the model at the end of each commit needs it.
  func noteAcyclicLink(_ reference: RelationshipReference, of owner: Int, at moment: Moment) {
    if moment.isForward, parts.contains(.unique) { acyclicLinks.append((reference, owner)) }
  }

  /// Returns the circles that the commit closes.
  ///
  /// A new circle has at least one link that the commit added, so the search begins at their owners. The owner of such a
  /// link is on the to-one side.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects above the owners.
  func circles() throws -> [Violation] {
    if acyclicLinks.isEmpty { return [] }
    var searches: [RelationshipReference: CircleSearch] = [:]
    var violations: [Violation] = []
    for (reference, owner) in acyclicLinks where isLive(owner) {
      var search = searches[reference] ?? CircleSearch(reference)
      if let circle = try circle(from: changes[owner].key.id, &search) { violations.append(.circle(circle)) }
      searches[reference] = search
    }
    return violations
  }

  /// Returns the circle to which an object leads, unless the search has found it before.
  package func circle(from id: ObjectID, _ search: inout CircleSearch) throws -> Circle? {
    let reference = search.reference
    return try search.circle(from: id) { id in
      try target(of: reference, from: ObjectKey(entity: reference.entity, id: id))?.id
    }
  }
}
