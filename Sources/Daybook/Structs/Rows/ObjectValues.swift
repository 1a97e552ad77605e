import DaybookEngine
import DaybookModel

/// The values and links to store for an object, written by a struct.
///
///     func write(to values: inout ObjectValues) throws {
///       try values.set("name", name)
///       values.relate("type", to: type)
///       values.relate("ingredients", to: ingredients)
///     }
public struct ObjectValues {
  /// The attributes by name.
  package private(set) var attributes: [String: Value] = [:]
  /// The to-one relationships, in the order in which they were set.
  package private(set) var links: [(name: String, target: ObjectID?)] = []
  /// The targets of to-many relationships that the value lists itself.
  ///
  /// Relationships that were read from the store are left out.
  package private(set) var lists: [(name: String, targets: [ObjectID])] = []

  init() {}

  /// Sets the value of an attribute.
  ///
  /// - Throws: `StoreError` with the code `badValue` if the value cannot be stored.
  public mutating func set(_ name: String, _ value: some AttributeValue) throws {
    do {
      attributes[name] = try value._storedValue()
    } catch let error as StoreError {
      throw StoreError(error.code, "\(name): \(error.message).", advice: error.remedy)
    }
  }

  /// Sets the target of a to-one relationship.
  public mutating func relate<Target>(_ name: String, to target: EntityID<Target>?) {
    links.append((name, target?.objectID))
  }

  /// Sets the targets of a to-many relationship, in their order.
  public mutating func relate<Target>(_ name: String, to targets: Related<Target>) {
    if let listed = targets.listed { lists.append((name, listed.map(\.objectID))) }
  }
}
