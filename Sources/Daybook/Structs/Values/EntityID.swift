import DaybookModel

/// The identity of an object of one entity: an ``ObjectID`` with a static type.
///
/// It cannot be mistaken for the identity of an object of another entity.
///
///     let cake: Recipe.ID = try store.write { try $0.insert(Recipe(name: "Cake")) }
///
/// A struct that is an entity has it as its `ID`, and stores related objects as such ids.
public struct EntityID<Object>: Hashable, Sendable, BitwiseCopyable {
  /// The untyped identity.
  public let objectID: ObjectID

  /// Makes the identity of an object that is, or will be, of this entity. Nothing is looked up.
  public init(_ objectID: ObjectID) { self.objectID = objectID }
}

extension EntityID: Comparable {
  public static func < (a: EntityID, b: EntityID) -> Bool { a.objectID < b.objectID }
}

extension EntityID: LosslessStringConvertible {
  /// Parses the 36-character form, in either case, or returns `nil` for any other text.
  public init?(_ text: String) {
    guard let id = ObjectID(text) else { return nil }
    self.init(id)
  }

  public var description: String { objectID.description }
}

extension EntityID: Codable {
  public init(from decoder: any Decoder) throws { self.init(try ObjectID(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try objectID.encode(to: encoder) }
}

extension EntityID: ScalarValue {
  public static var _attributeType: AttributeType { .uuid }

  public init(_storedValue storedValue: Value) throws { self.init(try ObjectID(_storedValue: storedValue)) }

  public func _storedValue() -> Value { .uuid(objectID) }
}
