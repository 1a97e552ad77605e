import DaybookEngine
import DaybookModel
import Foundation

/// A `Codable` value that an attribute stores as its JSON.
///
///     struct Nutrition: CodableValue { var energy = 0.0, protein = 0.0 }
///
/// The store keeps the JSON in canonical form, so that encoding an equal value again is no change. Requests can compare
/// such an attribute only with `nil`. A nested `Data` is stored as base64 and a `Date` as seconds since 2001, as by
/// `JSONEncoder`, unless the type encodes itself otherwise. A nested `Set` is encoded in an undefined order, so that
/// equal values seem changed; use an array instead.
public protocol CodableValue: AttributeValue, Codable {}

extension CodableValue {
  public static var _attributeType: AttributeType { .codable }

  public init(_storedValue storedValue: Value) throws { self = try StoredJSON.decode(Self.self, storedValue) }

  public func _storedValue() throws -> Value { try StoredJSON.encode(self) }
}

/// Arrays of storable `Codable` values are stored as JSON; arrays of bytes as data.
extension Array: AttributeValue where Element: Codable & AttributeValue {
  public static var _attributeType: AttributeType { Element.self == UInt8.self ? .data : .codable }

  public init(_storedValue storedValue: Value) throws {
    if case .data(let bytes) = storedValue, let bytes = bytes as? [Element] {
      self = bytes
    } else {
      self = try StoredJSON.decode([Element].self, storedValue)
    }
  }

  public func _storedValue() throws -> Value {
    if let bytes = self as? [UInt8], Element.self == UInt8.self { return .data(bytes) }
    return try StoredJSON.encode(self)
  }
}

/// Sets are stored as JSON arrays sorted by the elements' text: equal sets, equal bytes.
extension Set: AttributeValue, CodableValue where Element: Codable & AttributeValue {
  public func _storedValue() throws -> Value {
    let elements = try map { try StoredJSON.bytes(of: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
    return .data([UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
  }
}

/// Dictionaries with string keys are stored as JSON objects.
extension Dictionary: AttributeValue, CodableValue where Key == String, Value: Codable & AttributeValue {}

/// Encodes and decodes `Codable` values.
enum StoredJSON {
  static func encode(_ value: some Encodable) throws -> Value { .data(try bytes(of: value)) }

  static func bytes(of value: some Encodable) throws -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return [UInt8](try encoder.encode(value))
    } catch {
      throw StoreError(.badValue, "the value cannot be encoded: \(error)")
    }
  }

  static func decode<Decoded: Decodable>(_ type: Decoded.Type, _ value: Value) throws -> Decoded {
    guard case .data(let bytes) = value else { throw StoreError.mismatch(value, type) }
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw StoreError(.badValue, "the stored JSON is no \(type): \(error)")
    }
  }
}
