import DaybookEngine
import DaybookModel
import Foundation

extension String: ScalarValue {
  public static var _attributeType: AttributeType { .string }

  public init(_storedValue storedValue: Value) throws {
    guard case .string(let text) = storedValue else { throw StoreError.mismatch(storedValue, String.self) }
    self = text
  }

  public func _storedValue() -> Value { .string(self) }
}

extension Bool: ScalarValue {
  public static var _attributeType: AttributeType { .boolean }

  public init(_storedValue storedValue: Value) throws {
    guard case .boolean(let flag) = storedValue else { throw StoreError.mismatch(storedValue, Bool.self) }
    self = flag
  }

  public func _storedValue() -> Value { .boolean(self) }
}

extension Timestamp: ScalarValue {
  public static var _attributeType: AttributeType { .date }

  public init(_storedValue storedValue: Value) throws {
    guard case .date(let time) = storedValue else { throw StoreError.mismatch(storedValue, Timestamp.self) }
    self = time
  }

  public func _storedValue() -> Value { .date(self) }
}

extension ObjectID: ScalarValue {
  public static var _attributeType: AttributeType { .uuid }

  public init(_storedValue storedValue: Value) throws {
    guard case .uuid(let id) = storedValue else { throw StoreError.mismatch(storedValue, ObjectID.self) }
    self = id
  }

  public func _storedValue() -> Value { .uuid(self) }
}

extension UUID: ScalarValue {
  public static var _attributeType: AttributeType { .uuid }

  public init(_storedValue storedValue: Value) throws {
    guard case .uuid(let id) = storedValue, let uuid = UUID(uuidString: id.description) else {
      throw StoreError.mismatch(storedValue, UUID.self)
    }
    self = uuid
  }

  public func _storedValue() -> Value { .uuid(ObjectID(self)) }
}

extension Data: ScalarValue {
  public static var _attributeType: AttributeType { .data }

  public init(_storedValue storedValue: Value) throws {
    guard case .data(let bytes) = storedValue else { throw StoreError.mismatch(storedValue, Data.self) }
    self = Data(bytes)
  }

  public func _storedValue() -> Value { .data([UInt8](self)) }
}

/// A date is stored to the microsecond; the date read back may differ in smaller fractions.
extension Date: ScalarValue {
  public static var _attributeType: AttributeType { .date }

  public init(_storedValue storedValue: Value) throws {
    guard case .date(let time) = storedValue else { throw StoreError.mismatch(storedValue, Date.self) }
    self = Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
  }

  /// - Throws: `StoreError` with the code `badValue` for a date more than 292,000 years from 1970.
  public func _storedValue() throws -> Value {
    guard let microseconds else {
      throw StoreError(.badValue, "the date is too far from 1970", advice: "Give one within 292,000 years.")
    }
    return .date(Timestamp(microseconds: microseconds))
  }

  private var microseconds: Int64? { Int64(exactly: (timeIntervalSince1970 * 1_000_000).rounded()) }
}

/// A URL is stored as its text.
extension URL: ScalarValue {
  public static var _attributeType: AttributeType { .string }

  public init(_storedValue storedValue: Value) throws {
    guard case .string(let text) = storedValue, let url = URL(string: text) else {
      throw StoreError.mismatch(storedValue, URL.self)
    }
    self = url
  }

  public func _storedValue() -> Value { .string(absoluteString) }
}
