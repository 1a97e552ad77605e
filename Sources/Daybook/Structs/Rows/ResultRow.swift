import DaybookEngine
import DaybookModel

/// A row of a result: an untyped ``StoredObject``, or a ``Record`` of a struct.
public protocol ResultRow: Identifiable, Sendable where ID: Hashable & Sendable {
  // The requirements are no interface: other types cannot be rows.

  /// The entity that the rows are of; `nil` for rows of any entity.
  static var _entityName: String? { get }

  /// Makes the row of an object.
  ///
  /// - Throws: `StoreError` with the code `badValue` for an object of another entity, or if a value does not fit.
  init(_row row: inout ObjectRow) throws

  /// Returns the identity of an object's row.
  static func _id(of object: ObjectID) -> ID

  /// Returns the object of a row with an identity.
  static func _object(of id: ID) -> ObjectID
}

extension StoredObject: ResultRow {
  public static var _entityName: String? { nil }

  public init(_row row: inout ObjectRow) { self = row.object }

  public static func _id(of object: ObjectID) -> ObjectID { object }

  public static func _object(of id: ObjectID) -> ObjectID { id }
}
