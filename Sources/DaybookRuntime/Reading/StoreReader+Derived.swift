import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the reader of the state in which an entity is read, or `nil` if it is this one.
  ///
  /// A derived entity is read at the checkpoint of its projection, together with the stored objects as they were there.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the projection has no rows yet; `UnopenedTables`.
  func derived(_ entity: String) throws -> StoreReader? {
    guard reader.model.entity(named: entity) == nil, let projections else { return nil }
    for rows in try projections.derivedRows() where rows.model.entities.contains(where: { $0.entity.name == entity }) {
      try requireRows(rows.instance, of: rows.name)
      return try reading(rows, of: projections)
    }
    return nil
  }

  /// Returns the reader of the state in which the object with an identity is read, if it is a derived one.
  func derived(having id: ObjectID) throws -> StoreReader? {
    guard let projections else { return nil }
    for rows in try projections.derivedRows() where reachesRows(rows.instance) {
      let derived = try reading(rows, of: projections)
      if try derived.reader.find(id) != nil { return derived }
    }
    return nil
  }

  /// The projections in the transaction of the reader; `nil` for a reader that does not read the head of a store.
  private var projections: ProjectionsSnapshot? {
    guard let keeper, !reader.model.entities.contains(where: \.isDerived) else { return nil }
    let projections = keeper.projections(of: self)
    return projections.opened.environment === reader.snapshot.environment ? projections : nil
  }

  /// Whether the state of this reader has rows of a projection: it is at their checkpoint, or later.
  private func reachesRows(_ instance: ProjectionRecord.Instance) -> Bool {
    instance.checkpoint.position > .empty && instance.checkpoint.position <= position
  }

  private func requireRows(_ instance: ProjectionRecord.Instance, of name: String) throws {
    if reachesRows(instance) { return }
    let checkpoint = instance.checkpoint.position
    guard checkpoint > .empty else {
      throw StoreError(
        .notFound, "The projection \(name) has no rows yet.", advice: "Wait for it with `StoreProjection.wait(for:)`.")
    }
    throw StoreError(
      .notFound, "The rows of the projection \(name) are at \(checkpoint), and this reads \(position).",
      advice: "Read its earlier rows from the head, with `StoreReader.difference(of:from:to:)`.")
  }

  private func reading(
    _ rows: ProjectionsSnapshot.DerivedInstance, of projections: ProjectionsSnapshot
  ) throws -> StoreReader {
    let catalog = try projections.opened.derivedCatalog(of: rows.name, rows.instance, rows.model, in: reader.model)
    let (snapshot, checkpoint) = (reader.snapshot, rows.instance.checkpoint.position)
    let stored = try present.rewound(to: checkpoint, in: journal.adding([]))
    let tables = DerivedTables(tags: rows.model.tags, tables: catalog.tables, in: snapshot)
    return StoreReader(
      reader: reader.adding([tables], layers: stored.reader.layers, by: catalog.model), dependents: catalog.dependents,
      journal: journal.adding([DerivedChanges(catalog.changes, in: snapshot)]), position: checkpoint, modelPosition: 1,
      snapshotStore: nil, keeper: keeper)
  }
}
