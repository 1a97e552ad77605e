import DaybookEngine

extension CommitBuilder {
  /// What reads the objects of projections.
  package var keeper: ProjectionKeeper? { derived as? ProjectionKeeper }
}
