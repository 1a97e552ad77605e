import DaybookEngine
import DaybookModel
import DaybookRuntime
import Foundation

/// Values of rows in projections' tables.
extension AttributeValue {
  /// Returns the bytes of a row's value.
  ///
  /// Integers and dates have 8 bytes, big-endian, as ``ProjectionContext/increment(_:by:in:)`` stores them; doubles too.
  /// Strings and decimals are UTF-8, `Codable` values JSON with sorted keys, and data is stored as it is.
  ///
  /// - Throws: `StoreError` with the code `badValue` for `nil`; what `storedValue()` throws.
  func rowBytes() throws -> [UInt8] {
    switch try storedValue() {
    case .null:
      throw StoreError(.badValue, "A row of a projection cannot be nil.", advice: "Delete the row.")
    case .integer(let number): return ProjectionKey.bytes(of: number)
    case .date(let time): return ProjectionKey.bytes(of: time.microseconds)
    case .double(let number): return ProjectionKey.bytes(of: Int64(bitPattern: number.bitPattern))
    case .boolean(let flag): return [flag ? 1 : 0]
    case .uuid(let id): return id.bytes
    case .string(let text): return Array(text.utf8)
    case .decimal(let number): return Array(number.description.utf8)
    case .data(let bytes): return bytes
    case .large(let value): return try value.bytes()
    }
  }

  /// Reads the bytes of a row's value.
  ///
  /// - Throws: `StoreError` with the code `badValue` if they are not the bytes of such a value.
  init(rowBytes bytes: [UInt8], in table: String) throws {
    guard let value = Value(rowBytes: bytes, of: Self.attributeType) else {
      throw StoreError(
        .badValue, "A row of “\(table)” has \(bytes.count) bytes, which are not \(Self.attributeType.nounPhrase).",
        advice: "Raise the version of the projection when the type of a table changes.")
    }
    try self.init(storedValue: value)
  }
}

private extension Value {
  init?(rowBytes bytes: [UInt8], of type: AttributeType) {
    switch type {
    case .data, .codable: self = .data(bytes)
    case .string:
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = .string(text)
    case .decimal:
      guard let number = Decimal(string: String(decoding: bytes, as: UTF8.self)) else { return nil }
      self = .decimal(number)
    case .boolean:
      guard bytes.count == 1 else { return nil }
      self = .boolean(bytes[0] != 0)
    case .integer, .date, .double, .uuid:
      var reader = ByteReader(bytes.rawSpan)
      guard let value = try? Value(reading: &reader, type), reader.isAtEnd else { return nil }  // Too few bytes.
      self = value
    }
  }

  /// Reads a value of fixed size.
  private init(reading reader: inout ByteReader, _ type: AttributeType) throws(MalformedBytes) {
    if type == .uuid {
      self = .uuid(try reader.objectID())
      return
    }
    let number = Int64(bitPattern: try reader.fixed(UInt64.self))
    switch type {
    case .date: self = .date(Timestamp(microseconds: number))
    case .double: self = .double(Double(bitPattern: UInt64(bitPattern: number)))
    default: self = .integer(number)
    }
  }
}
