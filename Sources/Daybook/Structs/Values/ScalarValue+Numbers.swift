import DaybookEngine
import DaybookModel
import Foundation

extension ScalarValue where Self: FixedWidthInteger {
  public static var _attributeType: AttributeType { .integer }

  public init(_storedValue storedValue: Value) throws {
    guard case .integer(let number) = storedValue, let number = Self(exactly: number) else {
      throw StoreError.mismatch(storedValue, Self.self)
    }
    self = number
  }

  /// - Throws: `StoreError` with the code `badValue` for a number beyond signed 64 bits.
  public func _storedValue() throws -> Value {
    guard let number = Int64(exactly: self) else {
      throw StoreError(.badValue, "\(self) is too large", advice: "Integers have 64 bits and a sign.")
    }
    return .integer(number)
  }
}

extension Int: ScalarValue {}
extension Int8: ScalarValue {}
extension Int16: ScalarValue {}
extension Int32: ScalarValue {}
extension Int64: ScalarValue {}
extension UInt8: ScalarValue {}
extension UInt16: ScalarValue {}
extension UInt32: ScalarValue {}

extension ScalarValue where Self: BinaryFloatingPoint {
  public static var _attributeType: AttributeType { .double }

  public init(_storedValue storedValue: Value) throws {
    guard case .double(let number) = storedValue else { throw StoreError.mismatch(storedValue, Self.self) }
    self = Self(number)
  }

  /// Returns the number as it is stored.
  public func _storedValue() -> Value { .double(Double(self)) }
}

extension Double: ScalarValue {}
extension Float: ScalarValue {}

extension Decimal: ScalarValue {
  public static var _attributeType: AttributeType { .decimal }

  public init(_storedValue storedValue: Value) throws {
    guard case .decimal(let number) = storedValue else { throw StoreError.mismatch(storedValue, Decimal.self) }
    self = number
  }

  public func _storedValue() -> Value { .decimal(self) }
}
