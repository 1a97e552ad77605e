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
