import DaybookModel

/// The objects of projections, which no verb changes.
extension CommitBuilder {
  /// Checks that no projection writes an entity.
  ///
  /// - Throws: `StoreError` with the code `badRequest`, which names the projection.
  package func checkStored(_ entity: String) throws {
    guard model.entity(named: entity) == nil, let projection = try derived?.projection(of: entity) else { return }
    throw StoreError(
      .badRequest, "\(entity) is written by the projection \(projection) alone.",
      advice: "Write the objects from which the projection makes it.")
  }

  /// Checks that an object which no verb finds is not one of a projection.
  ///
  /// - Throws: `StoreError` with the code `badRequest`, which names the projection.
  package func checkStored(_ id: ObjectID) throws {
    guard id.isDerived, let entity = try derived?.entity(of: id) else { return }
    try checkStored(entity)
  }
}
