import DaybookModel

/// Finds the cycles that a commit closes over acyclic relationships.
extension Fold {
  /// Records a link over an acyclic relationship, which may close a cycle.
  ///
  /// Only a fold that checks the rules of the model at the end of each commit needs it.
  func noteAcyclicLink(_ reference: RelationshipReference, of owner: Int, at moment: Moment) {
    if moment.isForward, parts.contains(.unique) { acyclicLinks.append((reference, owner)) }
  }

  /// Returns the cycles that the commit closes.
  ///
  /// A new cycle has at least one link that the commit added, so the search begins at their owners. The owner of such a
  /// link is on the to-one side.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects above the owners.
  func cycles() throws -> [Violation] {
    if acyclicLinks.isEmpty { return [] }
    var searches: [RelationshipReference: CycleSearch] = [:]
    var violations: [Violation] = []
    for (reference, owner) in acyclicLinks where isLive(owner) {
      var search = searches[reference] ?? CycleSearch(reference)
      if let cycle = try cycle(from: changes[owner].key.id, &search) { violations.append(.cycle(cycle)) }
      searches[reference] = search
    }
    return violations
  }

  /// Returns the cycle to which an object leads, unless the search has found it before.
  package func cycle(from id: ObjectID, _ search: inout CycleSearch) throws -> Cycle? {
    let reference = search.reference
    return try search.cycle(from: id) { id in
      try target(of: reference, from: ObjectKey(entity: reference.entity, id: id))?.id
    }
  }
}
