import DaybookEngine
import DaybookModel

/// A value that is stored as a scalar, so that requests can compare it and sort by it.
///
///     enum Course: String, ScalarValue { case starter, main, dessert }
///     Recipe.where { $0.course == .dessert }
///
/// An enumeration with scalar raw values only needs to declare conformance. A store with a raw value that the
/// enumeration lacks can still be opened and read as untyped objects; reading it as the type throws.
public protocol ScalarValue: AttributeValue {
  /// The value that is stored, and compared in filters.
  var scalarValue: Value { get }
}

extension ScalarValue {
  /// The value as it is stored.
  public func storedValue() throws -> Value { scalarValue }
}

extension ScalarValue where Self: RawRepresentable, RawValue: ScalarValue {
  public static var attributeType: AttributeType { RawValue.attributeType }

  public init(storedValue: Value) throws {
    guard let value = Self(rawValue: try RawValue(storedValue: storedValue)) else {
      throw StoreError.mismatch(storedValue, Self.self)
    }
    self = value
  }

  /// The value as it is stored and compared.
  public var scalarValue: Value { rawValue.scalarValue }
}

extension Optional: ScalarValue where Wrapped: ScalarValue {
  public var scalarValue: Value {
    guard let self else { return .null }
    return self.scalarValue
  }
}
