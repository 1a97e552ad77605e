/// An attribute of an object or of a named event, with its value.
public struct NamedValue: Hashable, Sendable {
  /// The name of the attribute.
  public let name: String
  /// Its type.
  public let type: AttributeType
  /// Its value; null without one.
  ///
  /// In an event it is null only if the object holds a null instead of a default.
  public let value: Value

  package init(name: String, type: AttributeType, value: Value) {
    (self.name, self.type, self.value) = (name, type, value)
  }
}
