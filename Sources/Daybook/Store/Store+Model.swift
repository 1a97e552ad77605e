import DaybookEngine
import DaybookModel

extension Store {
  /// Returns the steps of applying another model, one line each; empty if the models are equal.
  ///
  /// - Throws: `StoreError` with the code `badModel` if the model is invalid, or differs in a way that cannot be
  ///   applied.
  public func plan(_ model: Model) throws -> [String] {
    try read { reader in
      let change = try reader.resolvedModel.change(to: model)
      try reader.reader.check(change.checks, in: reader.resolvedModel)
      return change.steps
    }
  }

  /// Replaces the store's model, in one commit that touches no object.
  ///
  /// Renamed parts keep their values, removed parts are hidden and keep their values in the journal, and the default of
  /// an added attribute is supplied on reading. New indexes, constraints and derived values are built before the commit
  /// is visible.
  ///
  /// If `info` has a commit id that the journal contains, nothing is applied, and the known position is returned.
  ///
  /// - Returns: The position of the commit, or the head if nothing changed; and the applied steps, empty for a commit
  ///   that existed before.
  /// - Throws: `StoreError`: `badModel` if the model is invalid or cannot follow the present one, with advice;
  ///   `constraint` if objects collide in a new uniqueness constraint, or a new sum does not fit its type;
  ///   `conditionFailed` if the condition in `info` does not hold.
  /// - Complexity: O(*n* log *n*) for *n* objects of the entities that get new indexes.
  @discardableResult
  public func apply(
    _ model: Model, info: CommitInfo = CommitInfo()
  ) throws -> (position: Position, steps: [String]) {
    try opened.withSession { session in
      if let id = info.commitID, let known = try session.journalReader.position(ofCommitID: id) { return (known, []) }
      let change = try session.model.change(to: model)
      guard !change.isEmpty else { return (session.head, []) }
      try session.reader.check(change.checks, in: session.model)
      return (try session.commit(model: change.model, info), change.steps)
    }
  }
}

private extension ResolvedModel {
  func change(to model: Model) throws(StoreError) -> ModelChange {
    do {
      return try evolved(to: model)
    } catch {
      throw StoreError(.badModel, "\(error)")
    }
  }
}
