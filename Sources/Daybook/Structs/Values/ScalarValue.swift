import DaybookEngine
import DaybookModel
import Foundation

/// A value that is stored as a scalar, so that requests can compare it and sort by it.
///
///     enum Course: String, ScalarValue { case starter, main, dessert }
///     Recipe.where { $0.course == .dessert }
///
/// A type with scalar raw values only needs to declare conformance: an enumeration, a wrapped number, or a struct whose
/// `rawValue` is computed, such as the bytes of a file. A store with a raw value that the type lacks can still be opened
/// and read as untyped objects; reading it as the type throws.
public protocol ScalarValue: AttributeValue {}

extension ScalarValue {
  /// The value that filters compare: the stored one.
  ///
  /// Numbers and dates that cannot be stored are clamped to those that can, so that they compare with stored ones as they
  /// do in Swift. Any other value that cannot be stored is null.
  package var scalarValue: Value {
    if let value = try? _storedValue() { return value }
    switch self {
    case let number as any FixedWidthInteger: return .integer(Int64(clamping: number))
    case let raw as any RawRepresentable: return (raw.rawValue as? any ScalarValue)?.scalarValue ?? .null
    case let date as Date: return .date(Timestamp(microseconds: date.timeIntervalSince1970 < 0 ? .min : .max))
    default: return .null
    }
  }
}

extension ScalarValue where Self: RawRepresentable, RawValue: ScalarValue {
  public static var _attributeType: AttributeType { RawValue._attributeType }

  public init(_storedValue storedValue: Value) throws {
    guard let value = Self(rawValue: try RawValue(_storedValue: storedValue)) else {
      throw StoreError.mismatch(storedValue, Self.self)
    }
    self = value
  }

  /// Returns the raw value as it is stored.
  public func _storedValue() throws -> Value { try rawValue._storedValue() }
}

extension Optional: ScalarValue where Wrapped: ScalarValue {}
