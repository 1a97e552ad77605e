import DaybookModel

/// A Swift type whose values can be those of an attribute.
///
/// Strings, integers, floating-point and decimal numbers, booleans, dates, identities and data are; so are optionals,
/// arrays, sets and dictionaries by strings of `Codable` ones. Give one of two protocols to a type of your own:
///
///     enum Course: String, ScalarValue { case starter, main, dessert }   // stored as its raw value, can be compared
///     struct Nutrition: CodableValue { var energy = 0.0 }                // stored as its JSON
///
/// The compiler says of a property of another type that the type does not conform to this protocol. If the type is an
/// entity, the property has to hold the identity of a related object: `var type: RecipeType.ID?`.
///
/// Conform to this protocol directly only for a type that is stored as another one, such as a URL as a string.
public protocol AttributeValue: Sendable {
  /// What the attribute is in the model.
  static var attributeType: AttributeType { get }
  /// Whether the attribute may be null.
  static var isOptional: Bool { get }

  /// Takes what was stored.
  ///
  /// - Throws: `StoreError` with the code `badValue` for what is no such value, null too unless it is optional.
  init(storedValue: Value) throws

  /// What is stored.
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

extension StoreError {
  /// What was stored is no value of a type.
  static func mismatch(_ value: Value, _ type: Any.Type) -> StoreError {
    guard !value.isNull else {
      return StoreError(.badValue, "there is no value, and \(type) needs one", advice: "Make the property optional.")
    }
    return StoreError(.badValue, "“\(value)” is no \(type)")
  }
}
