import DaybookModel

extension ProjectionsSnapshot {
  /// The rows of a projection that are read, with their derived entities.
  struct DerivedInstance {
    let name: String
    let instance: ProjectionRecord.Instance
    let model: DerivedModel
  }

  /// Returns the rows of all projections with derived entities.
  func derivedRows() throws -> [DerivedInstance] {
    try opened.recordNames(in: snapshot).compactMap { name in
      guard let live = try record(of: name).live, let derived = live.derived else { return nil }
      return DerivedInstance(name: name, instance: live, model: derived)
    }
  }
}
