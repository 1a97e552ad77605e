import DaybookModel

/// The objects of projections, which no verb changes.
package protocol DerivedObjects: Sendable {
  /// Returns the projection that writes an entity, or `nil` if no projection does.
  func projection(of entity: String) throws -> String?
  /// Returns the entity of a derived object, or `nil` if there is no such object.
  func entity(of id: ObjectID) throws -> String?
}
