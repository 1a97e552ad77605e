import DaybookModel

/// What filters and sort terms read objects from: the store's tables, a stack of layers over them, or a test's dictionaries.
///
/// All objects that it is asked about exist; an object without a value has ``DaybookModel/Value/null``, and one without a
/// target nil. It is asked only what a request's routes name.
package protocol ObjectSource {
  /// The value of an attribute, or of `createdAt` or `changedAt`. Never asked for `id` and `.target`.
  mutating func value(of field: ResolvedPath.Field, of object: ObjectKey) throws -> Value
  /// The target of a to-one relationship, whichever side owns the links.
  mutating func target(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID?
  /// The targets of a to-many relationship, in their order if it is ordered, else by id.
  mutating func targets(of relationship: RelationshipReference, of object: ObjectKey) throws -> [ObjectID]
  /// The number of targets of a to-many relationship.
  mutating func count(of relationship: RelationshipReference, of object: ObjectKey) throws -> Int
}
