import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the reader of the state in which an entity is read, or `nil` if it is this one.
  ///
  /// A derived entity is read at the checkpoint of its projection, together with the stored objects as they were there.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the projection has no rows yet; `UnopenedTables`.
  func derived(_ entity: String) throws -> StoreReader? {
    guard reader.model.entity(named: entity) == nil else { return nil }
    return try derived { $0.entities.contains { $0.entity.name == entity } }
  }

  /// Returns the reader of the state in which the object with an identity is read, if it is a derived one.
  func derived(having id: ObjectID) throws -> StoreReader? {
    for name in try derivedProjections() {
      if let derived = try derived(where: { $0.projection == name }), try derived.reader.find(id) != nil {
        return derived
      }
    }
    return nil
  }

  private func derivedProjections() throws -> [String] {
    guard let projections else { return [] }
    return try projections.opened.recordNames(in: projections.snapshot).filter {
      try projections.record(of: $0).live?.derived != nil
    }
  }

  /// The projections in the transaction of the reader; `nil` for a reader that does not read the head of a store.
  private var projections: ProjectionsSnapshot? {
    guard let keeper, !reader.model.entities.contains(where: \.isDerived) else { return nil }
    let projections = keeper.projections(of: self)
    return projections.opened.environment === reader.snapshot.environment ? projections : nil
  }

  private func derived(where isWanted: (DerivedModel) -> Bool) throws -> StoreReader? {
    guard let projections else { return nil }
    for name in try projections.opened.recordNames(in: projections.snapshot) {
      guard let live = try projections.record(of: name).live, let derived = live.derived, isWanted(derived) else {
        continue
      }
      return try reading(projections.opened.derivedCatalog(of: name, live, derived, in: reader.model), live)
    }
    return nil
  }

  private func reading(_ catalog: DerivedCatalog, _ instance: ProjectionRecord.Instance) throws -> StoreReader {
    let checkpoint = instance.checkpoint.position
    guard checkpoint > .empty else {
      throw StoreError(
        .notFound, "The projection \(catalog.projection) has no rows yet.",
        advice: "Wait for it with `StoreProjection.wait(for:)`.")
    }
    guard checkpoint <= position else {
      throw StoreError(
        .notFound, "The rows of the projection \(catalog.projection) are at \(checkpoint), and this reads \(position).",
        advice: "Read its earlier rows from the head, with `StoreReader.difference(of:from:to:)`.")
    }
    let snapshot = reader.snapshot
    let stored = try present.rewound(to: checkpoint, in: journal.adding([]))
    let tables = DerivedTables(tags: catalog.derivedTags, tables: catalog.tables, in: snapshot)
    return StoreReader(
      reader: reader.adding([tables], layers: stored.reader.layers, by: catalog.model), dependents: catalog.dependents,
      journal: journal.adding([DerivedChanges(catalog.changes, in: snapshot)]), position: checkpoint, modelPosition: 1,
      snapshotStore: nil, keeper: keeper)
  }
}
