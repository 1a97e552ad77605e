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
/// For a property of another type the compiler reports that the type does not conform to this protocol. If the type is
/// an entity, the property has to hold the identity of a related object: `var type: RecipeType.ID?`.
///
/// Conform to this protocol directly only for a type that is stored as another one, such as a URL as a string.
public protocol AttributeValue: Sendable {
  /// The type of the attribute in the model.
  static var attributeType: AttributeType { get }
  /// Whether the attribute may be null.
  static var isOptional: Bool { get }

  /// Makes a value from its stored form.
  ///
  /// - Throws: `StoreError` with the code `badValue` for any other value, including null unless it is optional.
  init(storedValue: Value) throws

  /// Returns the stored form of the value.
  ///
  /// - Throws: `StoreError` with the code `badValue` if this value cannot be stored.
  func storedValue() throws -> Value
}

extension AttributeValue {
  public static var isOptional: Bool { false }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  public static var attributeType: AttributeType { Wrapped.attributeType }
  public static var isOptional: Bool { true }

  public init(storedValue: Value) throws {
    self = storedValue.isNull ? nil : .some(try Wrapped(storedValue: storedValue))
  }

  public func storedValue() throws -> Value {
    guard let self else { return .null }
    return try self.storedValue()
  }
}
