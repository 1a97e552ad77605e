import DaybookEngine
import DaybookModel

/// Keys and values of a projection's rows.
///
///     try context.put(ProjectionKey.bytes(of: [.string(author), .date(day)]), [], in: "byAuthor")
public enum ProjectionKey {
  /// Returns bytes that sort as the values do: by the first, then by the second, and so on.
  ///
  /// Strings sort by code points, and null comes first. The bytes of a list of values begin with the bytes of each
  /// shorter list with which it begins, so a scan over a prefix finds all keys with the same first values.
  public static func bytes(of values: [Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { SortKey.append(value, to: &bytes) }
    return bytes
  }

  /// Returns the bytes of a number as a row's value: 8 bytes, big-endian.
  ///
  /// ``ProjectionContext/increment(_:by:in:)`` stores numbers in this form.
  public static func bytes(of number: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendFixed(number)
    return bytes
  }

  /// Returns the number in a row's value.
  static func integer(_ value: [UInt8], in table: String) throws(StoreError) -> Int64 {
    guard value.count == 8 else {
      throw StoreError(.badValue, "A row of “\(table)” holds \(value.count) bytes, which are no number.")
    }
    return value.reduce(0) { $0 << 8 | Int64($1) }
  }

  /// Returns the key in the one LMDB table that holds all tables of a projection.
  ///
  /// The key begins with the name of the projection's table and a zero byte.
  package static func full(_ key: [UInt8], in table: String) throws(StoreError) -> [UInt8] {
    guard key.count <= ProjectionLimits.maximumKeySizeInBytes else {
      throw StoreError(
        .badValue, "A key in “\(table)” has \(key.count) bytes; \(ProjectionLimits.maximumKeySizeInBytes) are allowed.")
    }
    var full = try prefix(of: table, forKeyOf: key.count)
    full.append(contentsOf: key)
    return full
  }

  /// Returns the bytes with which the keys of a table begin, with room for a key of a number of bytes.
  static func prefix(of table: String, forKeyOf count: Int = 0) throws(StoreError) -> [UInt8] {
    guard isName(table, maximumSize: ProjectionLimits.maximumTableNameSizeInBytes) else {
      throw StoreError(
        .badValue, "“\(table)” cannot be a table’s name.",
        advice: "Take up to 32 ASCII letters, digits, hyphens and underscores.")
    }
    var prefix: [UInt8] = []
    prefix.reserveCapacity(table.utf8.count + 1 + count)
    prefix.append(contentsOf: table.utf8)
    prefix.append(0)
    return prefix
  }

  static func isName(_ text: String, maximumSize: Int) -> Bool {
    (1...maximumSize).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
