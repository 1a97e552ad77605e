import DaybookEngine
import DaybookModel

/// What an inline projection reads of the projections whose runs are before its own.
extension ProjectionRun {
  /// The rows that the run has written, with their derived entities.
  var derivedInstance: DerivedInstance {
    DerivedInstance(name: projection.name, instance: instance)
  }

  /// Returns what the projection reads before and after a commit.
  ///
  /// - Parameters:
  ///   - stored: The stored objects before and after the commit.
  ///   - model: The model of the stored objects.
  func states(
    adding stored: StoredStates, _ header: CommitHeader, _ model: ResolvedModel
  ) throws -> StoredStates {
    let read = reads.map(\.derived)
    guard !read.isEmpty else {
      if header.isModel { try derived.adopt(model) }
      return stored
    }
    if scopeModel == nil || header.isModel {
      let combined = try model.serving(read.map(\.description))
      scopeModel = (combined, Dependents(combined))
      if header.isModel { try derived.adopt(combined) }
    }
    guard let (combined, dependents) = scopeModel else { return stored }
    let after = stored.after.adding(
      read.map { $0.tables.above(stored.after.layers.count) }, layers: stored.after.layers + read.map(\.layer),
      by: combined)
    return StoredStates(after: after, dependents, header, events: read.reduce(stored.events) { $0 + $1.written })
  }
}
