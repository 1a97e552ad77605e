import DaybookEngine
import DaybookModel
import DaybookRuntime

/// An object as it was read, from which a struct reads its properties.
///
///     init(row: inout ObjectRow) throws {
///       name = try row.value("name")
///       type = try row.target("type")
///       ingredients = row.targets("ingredients")
///     }
///
/// Access in the order of the model takes constant time for each property.
public struct ObjectRow {
  /// The object.
  public let object: StoredObject
  let source: RowSource
  private var nextValue = 0
  private var nextLink = 0
  private var place = StoredObject.FieldPlace()

  init(_ object: StoredObject, source: RowSource) {
    self.object = object
    self.source = source
  }

  /// Returns the value of an attribute; null if the object's model lacks the attribute.
  ///
  /// A large value is read from the store.
  ///
  /// - Throws: `StoreError`: `badValue` if the value does not fit the type; `closed` or `damaged` if a large value cannot
  ///   be read.
  public mutating func value<Value: AttributeValue>(_ name: String) throws -> Value {
    do {
      return try Value(_storedValue: takeValue(name).bytesLoaded())
    } catch let error as StoreError {
      guard object.layout.attribute(named: name) != nil else {
        throw StoreError(
          error.code, "The model by which \(object.id) is read has no attribute \(object.entity).\(name).",
          advice:
            "Another model renamed or removed it, or did not have it yet: read a `StoredObject`, or make it optional."
        )
      }
      throw StoreError(
        error.code, "\(object.entity).\(name) of \(object.id): \(error.message).", advice: error.remedy)
    }
  }

  /// Returns the target of a to-one relationship, or `nil` if it has none.
  public mutating func target<Target>(_ name: String) throws -> EntityID<Target>? {
    takeTarget(name).map { EntityID($0) }
  }

  /// Returns the target of a required to-one relationship.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it has none, as before the relationship became required.
  public mutating func target<Target>(_ name: String) throws -> EntityID<Target> {
    guard let target = takeTarget(name) else {
      throw StoreError(
        .badValue, "\(object.entity).\(name) of \(object.id) leads to no object, and its property needs one.",
        advice: "Make the property optional.")
    }
    return EntityID(target)
  }

  /// Returns the targets of a to-many relationship, which are read on access.
  public func targets<Target>(_ name: String) -> Related<Target> {
    Related(.stored(source, owner: object.id, relationship: name))
  }

  private mutating func takeValue(_ name: String) -> DaybookModel.Value {
    let attributes = object.layout.attributes
    if nextValue >= attributes.count || attributes[nextValue].name != name {
      guard let found = attributes.firstIndex(where: { $0.name == name }) else { return .null }
      if found < nextValue { place = StoredObject.FieldPlace() }
      nextValue = found
    }
    nextValue += 1
    return object.value(ofAttribute: nextValue - 1, from: &place)
  }

  private mutating func takeTarget(_ name: String) -> ObjectID? {
    let links = object.layout.links
    if nextLink >= links.count || links[nextLink].name != name {
      guard let found = links.firstIndex(where: { $0.name == name }) else { return nil }
      nextLink = found
    }
    nextLink += 1
    return object.target(of: links[nextLink - 1])
  }
}
