import DaybookModel

extension DerivedModel {
  /// Describes the entities of a projection, with the first of all tags.
  ///
  /// - Parameter count: The number of the last commits whose changes are kept if the projection keeps no history.
  init(of projection: any Projection, keeping count: UInt64) {
    self.init(
      projection: projection.name, reads: projection.reads, entities: projection.entities,
      keptCommitCount: projection.keepsHistory ? nil : count)
  }

  /// Returns the same entities for rows that keep the changes of all commits.
  func keepingAllChanges() -> DerivedModel {
    DerivedModel(projection: projection, reads: reads, entities: entities, firstTag: firstTag)
  }
}

extension [DerivedModel] {
  /// Returns the names of projections and of all that they read.
  func closure(over names: [String]) -> Set<String> {
    var (found, open): (Set<String>, [String]) = ([], names)
    while let name = open.popLast() {
      guard found.insert(name).inserted else { continue }
      open += first { $0.projection == name }?.reads ?? []
    }
    return found
  }
}
