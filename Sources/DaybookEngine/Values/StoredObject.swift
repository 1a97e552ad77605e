import DaybookModel

/// An object as it was read: a value, unaffected by later changes of the store.
public struct StoredObject: Sendable, Hashable, Identifiable {
  public let id: ObjectID
  /// The name of its entity.
  public let entity: String
  /// When the object was inserted.
  public let createdAt: Timestamp
  /// When an event last had the object as its subject.
  public let changedAt: Timestamp
  /// All attributes, including derived ones, in the order of the model; null without value.
  public let values: [NamedValue]
  /// All to-one relationships, in the order of the model; `nil` if there is no target.
  ///
  /// The owner of a relationship may be on either side.
  public let links: [NamedLink]

  /// An attribute with its value.
  public struct NamedValue: Sendable, Hashable {
    /// The name of the attribute.
    public let name: String
    /// Its value.
    public let value: Value
  }

  /// A to-one relationship with its target.
  public struct NamedLink: Sendable, Hashable {
    /// The name of the relationship.
    public let name: String
    /// The target.
    public let target: ObjectID?
  }

  /// The value of an attribute; null if it has no value or does not exist.
  public subscript(name: String) -> Value {
    values.first { $0.name == name }?.value ?? .null
  }

  /// Returns the target of a to-one relationship, or `nil` if it has none or does not exist.
  public func target(_ name: String) -> ObjectID? {
    links.first { $0.name == name }?.target
  }
}
