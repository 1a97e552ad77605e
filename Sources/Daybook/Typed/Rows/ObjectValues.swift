import DaybookModel

/// What an object of an entity is to hold, as a struct says it.
///
///     func write(to values: inout ObjectValues) throws {
///       try values.set("name", name)
///       values.relate("type", to: type)
///       values.relate("ingredients", to: ingredients)
///     }
public struct ObjectValues {
  /// The attributes by name.
  public private(set) var attributes: [String: Value] = [:]
  /// The to-one relationships, in the order in which they were given.
  public private(set) var links: [(name: String, target: ObjectID?)] = []
  /// The targets of to-many relationships that the value itself lists; those that are as they were stored are left out.
  public private(set) var lists: [(name: String, targets: [ObjectID])] = []

  init() {}

  /// Gives an attribute its value.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it cannot be stored.
  public mutating func set(_ name: String, _ value: some AttributeValue) throws {
    do {
      attributes[name] = try value.storedValue()
    } catch let error as StoreError {
      throw StoreError(error.code, "\(name): \(error.message).", advice: error.advice)
    }
  }

  /// Gives a to-one relationship its target.
  public mutating func relate<Target>(_ name: String, to target: EntityID<Target>?) {
    links.append((name, target?.objectID))
  }

  /// Gives a to-many relationship its targets, in their order.
  public mutating func relate<Target>(_ name: String, to targets: Related<Target>) {
    if let listed = targets.listed { lists.append((name, listed.map(\.objectID))) }
  }
}
