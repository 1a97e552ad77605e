import DaybookModel

/// A source of objects for filters and sort terms.
///
/// It is the store's tables, a stack of layers over them, or a test's dictionaries. All objects passed to it must
/// exist; an object without a value has ``DaybookModel/Value/null``, and an object without a target has `nil`. Only
/// fields and relationships in a request's paths are read.
package protocol ObjectSource {
  /// Returns the value of an attribute, or of `createdAt` or `changedAt`.
  ///
  /// Never called for `id` and `.target`.
  mutating func value(of field: ResolvedPath.Field, of object: ObjectKey) throws -> Value
  /// Returns the target of a to-one relationship, whichever side owns the links.
  mutating func target(of relationship: RelationshipReference, of object: ObjectKey) throws -> ObjectID?
  /// Returns the targets of a to-many relationship, in their order or else by id.
  mutating func targets(of relationship: RelationshipReference, of object: ObjectKey) throws -> [ObjectID]
  /// Returns the number of targets of a to-many relationship.
  mutating func count(of relationship: RelationshipReference, of object: ObjectKey) throws -> Int
}
