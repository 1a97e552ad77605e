import DaybookModel

/// A Swift type whose values an attribute can hold.
///
/// Strings, integers, floating-point and decimal numbers, Booleans, dates, identities and data conform; so do
/// optionals, arrays, sets and dictionaries by strings of `Codable` values. Let your own types conform to one of two
/// protocols:
///
///     enum Course: String, ScalarValue { case starter, main, dessert }   // stored as its raw value, can be compared
///     struct Nutrition: CodableValue { var energy = 0.0 }                // stored as its JSON
///
/// A type with a format of its own, such as a picture as a file, is a ``ScalarValue`` whose raw value is in that format.
///
/// For a property of another type the compiler reports that the type does not conform to this protocol. If the type is
/// an entity, the property has to hold the identity of a related object: `var type: RecipeType.ID?`.
public protocol AttributeValue: Sendable {
  // The requirements are no interface: a type gets them from one of the two protocols, and ``Value`` converts values.

  /// The type of the attribute in the model.
  static var _attributeType: AttributeType { get }
  /// Whether the attribute may be null.
  static var _isOptional: Bool { get }

  /// Makes a value from its stored form.
  ///
  /// - Throws: `StoreError` with the code `badValue` for any other value, including null unless it is optional.
  init(_storedValue storedValue: Value) throws

  /// Returns the stored form of the value.
  ///
  /// - Throws: `StoreError` with the code `badValue` if this value cannot be stored.
  func _storedValue() throws -> Value
}

extension AttributeValue {
  public static var _isOptional: Bool { false }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  public static var _attributeType: AttributeType { Wrapped._attributeType }
  public static var _isOptional: Bool { true }

  public init(_storedValue storedValue: Value) throws {
    self = storedValue.isNull ? nil : .some(try Wrapped(_storedValue: storedValue))
  }

  public func _storedValue() throws -> Value {
    guard let self else { return .null }
    return try self._storedValue()
  }
}
