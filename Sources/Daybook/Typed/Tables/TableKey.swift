import DaybookEngine
import DaybookModel
import Foundation

/// A type whose values are keys of a projection's table.
///
/// Keys sort as their values do: by the first value, then by the second, and so on. A type with one scalar value needs
/// only the declaration; a key of several values is written by hand:
///
///     enum Unit: String, ScalarValue, TableKey { case gram, piece }
///
///     struct AuthorDay: TableKey {
///       let author: String, day: Int
///
///       static let keyTypes: [AttributeType] = [.string, .integer]
///       init(author: String, day: Int) { (self.author, self.day) = (author, day) }
///       init(keyValues: [Value]) throws {
///         (author, day) = (try String(storedValue: keyValues[0]), try Int(storedValue: keyValues[1]))
///       }
///       func keyValues() -> [Value] { [author.scalarValue, day.scalarValue] }
///     }
///
/// Numbers and dates sort as in Swift, false before true, strings by their code points (as `String.utf8` sorts, which
/// differs from `<` where canonically equivalent strings are concerned), ids by their bytes, and `nil` comes first.
/// The encoded key has at most ``ProjectionLimits/maximumKeySizeInBytes``.
public protocol TableKey: Sendable {
  /// The types of the key's values, in order.
  static var keyTypes: [AttributeType] { get }

  /// Creates a key from its values.
  ///
  /// - Parameter keyValues: As many values as ``keyTypes``, each of its type or null.
  /// - Throws: An error if they are not the values of a key.
  init(keyValues: [Value]) throws

  /// Returns the values of the key, each of its type in ``keyTypes`` or null.
  ///
  /// - Throws: An error if the key cannot be stored.
  func keyValues() throws -> [Value]
}

extension TableKey where Self: ScalarValue {
  public static var keyTypes: [AttributeType] { [attributeType] }

  public init(keyValues: [Value]) throws { try self.init(storedValue: keyValues.first ?? .null) }

  public func keyValues() throws -> [Value] { [try storedValue()] }
}

extension Int: TableKey {}
extension Int8: TableKey {}
extension Int16: TableKey {}
extension Int32: TableKey {}
extension Int64: TableKey {}
extension UInt8: TableKey {}
extension UInt16: TableKey {}
extension UInt32: TableKey {}
extension Double: TableKey {}
extension Float: TableKey {}
extension Decimal: TableKey {}
extension String: TableKey {}
extension Bool: TableKey {}
extension Timestamp: TableKey {}
extension ObjectID: TableKey {}
extension UUID: TableKey {}
extension Data: TableKey {}
extension Date: TableKey {}
extension URL: TableKey {}
extension EntityID: TableKey {}
extension Optional: TableKey where Wrapped: ScalarValue {}

extension TableKey {
  /// Returns the bytes of a key, which sort as the keys do.
  ///
  /// - Throws: `StoreError` with the code `badValue` if the values do not fit the types; what ``keyValues()`` throws.
  func keyBytes() throws -> [UInt8] { try Self.bytes(of: keyValues(), isWhole: true) }

  /// Returns the bytes with which the keys begin that begin with some values.
  ///
  /// - Parameter isWhole: Whether the values must make a whole key.
  static func bytes(of values: [Value], isWhole: Bool) throws(StoreError) -> [UInt8] {
    let types = keyTypes
    guard isWhole ? values.count == types.count : values.count <= types.count else {
      throw StoreError(
        .badValue, "A key of \(Self.self) has \(types.count) values, and not \(values.count).",
        advice: "Let keyTypes and keyValues() agree.")
    }
    var bytes: [UInt8] = []
    for (value, type) in zip(values, types) {
      guard value.isNull || value.isKey(of: type) else {
        throw StoreError(
          .badValue, "A key of \(Self.self) has the value \(value), which is not \(type.nounPhrase).",
          advice: "Let keyTypes and keyValues() agree; NaN is no key.")
      }
      SortKey.append(value, to: &bytes)
    }
    return bytes
  }

  /// Reads the bytes of a key.
  ///
  /// - Throws: `StoreError` with the code `badValue` if they are not the bytes of such a key.
  init(keyBytes: [UInt8]) throws {
    var reader = SortKeyReader(keyBytes)
    do {
      let values = try Self.keyTypes.map { try reader.value(of: $0) }
      guard reader.isAtEnd else { throw MalformedBytes(offset: keyBytes.count, expected: "the end of the key") }
      try self.init(keyValues: values)
    } catch let error as MalformedBytes {
      throw StoreError(
        .badValue, "A row's key is not a key of \(Self.self): \(error).",
        advice: "Raise the version of the projection when the type of a table changes.")
    }
  }
}

private extension Value {
  /// Whether it can be a value of a key's part.
  func isKey(of type: AttributeType) -> Bool {
    switch (self, type) {
    case (.double(let number), .double): !number.isNaN
    case (.integer, .integer), (.string, .string), (.decimal, .decimal), (.boolean, .boolean), (.date, .date),
      (.uuid, .uuid), (.data, .data), (.data, .codable):
      true
    default: false
    }
  }
}
