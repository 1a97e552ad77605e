import DaybookModel

extension DerivedModel {
  /// Describes the entities of a projection, with the first of all tags.
  init(of projection: any Projection, _ options: StoreOptions) {
    self.init(
      projection: projection.name, reads: projection.reads, entities: projection.entities,
      keptCommitCount: projection.keepsHistory ? nil : options.keptCommitCount)
  }

  /// Returns the same entities for rows that keep the changes of all commits.
  func keepingAllChanges() -> DerivedModel {
    DerivedModel(projection: projection, reads: reads, entities: entities, firstTag: firstTag)
  }
}
