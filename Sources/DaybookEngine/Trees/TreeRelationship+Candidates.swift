import DaybookModel
import DaybookQuery

extension TreeRelationship {
  /// The request for the objects of the tree, whose shown values are the values of a node.
  package func request(in model: ResolvedModel) -> FetchRequest {
    let entity = model.entities[self.entity]
    let names = nameAttribute.map { [SortTerm(path: [entity.attributes[$0].name])] } ?? []
    return FetchRequest(entity: entity.name, sort: names)
  }

  /// Returns the objects whose parent, place or shown values the commits of a span may have changed.
  ///
  /// - Parameters:
  ///   - request: The request for the objects of the tree.
  ///   - reader: Reads the state after `last`.
  /// - Complexity: O(*k*) for *k* events, and the objects that depend on what they change.
  package func candidates(
    _ request: ResolvedRequest, from first: Position, through last: Position, in journal: some Journal, reader: Reader
  ) throws -> Set<ObjectID> {
    var collector = CandidateCollector(RequestDependents(request, in: reader.model), reader: reader)
    try journal.forEachCommit(from: first, through: last) { commit in
      try collector.take(commit)
      return true
    }
    return Set(collector.candidates.keys)
  }
}
