import Foundation

/// Encodes values as bytes in the order shared by views, queries and tests.
///
/// A key of several terms is the concatenation of its terms' bytes: every term's encoding determines its end. The first
/// byte of a term is 0 for null, which therefore comes first, and 1 for a value; a descending term has all its bytes
/// complemented, including null and ties. A request may have null at the other end of a term: it is ``movedNull`` then.
///
/// | type | bytes after the 1 |
/// |---|---|
/// | integer, date | 8, big-endian, the sign bit flipped |
/// | double | 8, big-endian; the sign bit flipped, or all bits if it was set |
/// | boolean | 1 |
/// | uuid, identity | 16 |
/// | decimal | see ``append(decimal:to:)`` |
/// | string, data | the bytes with 0 written as 0 255, then 0 0; before that, in an order other than the code points', the collation key in the same form |
///
/// Data of more than 64 KiB is 2 and its SHA-256, after all shorter data: its key is the same whether it is stored whole or
/// by reference, and needs no bytes of a reference.
package enum SortKey {
  /// LMDB's limit on a key's size, in the builds of Debian and Homebrew.
  package static let maximumKeySize = 511
  /// The size available for a row key's terms, between view tag and object identity.
  package static let maximumTermsSize = maximumKeySize - 2 - ObjectID.byteCount
  /// The byte of null after all values, before it is complemented; no value begins with it.
  package static let movedNull: UInt8 = 255
  /// The first byte of a value after all other values and before ``movedNull``, before it is complemented.
  package static let movedValue: UInt8 = 254

  /// Appends the bytes of one term.
  package static func append(
    _ value: Value, order: StringOrder = .codepoint, isDescending: Bool = false, to key: inout [UInt8]
  ) {
    let start = key.count
    appendAscending(value, order: order, to: &key)
    if isDescending { complement(&key, from: start) }
  }

  /// Appends the common start of the terms of all strings with a prefix, by code points.
  package static func appendPrefix(_ prefix: String, isDescending: Bool = false, to key: inout [UInt8]) {
    let start = key.count
    key.append(1)
    appendEscaped(prefix, to: &key)
    if isDescending { complement(&key, from: start) }
  }

  private static func appendAscending(_ value: Value, order: StringOrder, to key: inout [UInt8]) {
    switch value {
    case .null: key.append(0)
    case .string(let text): append(text: text, order: order, to: &key)
    case .integer(let number): append(integer: number, to: &key)
    case .double(let number): append(double: number, to: &key)
    case .decimal(let number): append(decimal: DecimalParts(number), to: &key)
    case .boolean(let flag):
      key.append(1)
      key.append(flag ? 1 : 0)
    case .date(let time): append(integer: time.microseconds, to: &key)
    case .uuid(let id): append(id: id, to: &key)
    case .data(let bytes) where value.isLarge: append(largeData: Digest(hashing: bytes.rawSpan), to: &key)
    case .data(let bytes):
      key.append(1)
      appendEscaped(bytes, to: &key)
      appendEnd(to: &key)
    case .large(let value): append(largeData: value.sha256, to: &key)
    }
  }

  private static func append(largeData digest: Digest, to key: inout [UInt8]) {
    key.append(2)
    key.append(digest)
  }

  @inlinable
  package static func append(integer: Int64, to key: inout [UInt8]) {
    key.append(1)
    key.appendFixed(UInt64(bitPattern: integer) ^ (1 << 63))
  }

  package static func append(double: Double, to key: inout [UInt8]) {
    let bits = (double == 0 ? 0.0 : double).bitPattern
    key.append(1)
    key.appendFixed(bits >> 63 == 1 ? ~bits : bits | (1 << 63))
  }

  @inlinable
  package static func append(id: ObjectID, to key: inout [UInt8]) {
    key.append(1)
    key.append(id)
  }

  /// Appends a decimal: its sign, the power of ten above its first digit, and its digits.
  ///
  /// The sign is 0 for negative, 1 for zero and 2 for positive numbers; after it follow the exponent as two bytes,
  /// biased by 32,768, and the digits, each as one byte above its value, then 0. For a negative number the bytes after
  /// the sign are complemented.
  package static func append(decimal: DecimalParts, to key: inout [UInt8]) {
    key.append(1)
    guard decimal.coefficient != 0 else { return key.append(1) }
    key.append(decimal.isNegative ? 0 : 2)
    let start = key.count
    let digits = String(decimal.coefficient).utf8
    let magnitude = decimal.exponent + digits.count
    key.appendFixed(UInt16(clamping: magnitude + 32_768))
    for digit in digits { key.append(digit - UInt8(ascii: "0") + 1) }
    key.append(0)
    if decimal.isNegative { complement(&key, from: start) }
  }

  package static func append(text: String, order: StringOrder, to key: inout [UInt8]) {
    key.append(1)
    if order != .codepoint {
      var collation: [UInt8] = []
      Collation.appendKey(of: text, order: order, to: &collation)
      appendEscaped(collation, to: &key)
      appendEnd(to: &key)
    }
    appendEscaped(text, to: &key)
    appendEnd(to: &key)
  }

  package static func appendEnd(to key: inout [UInt8]) {
    key.append(0)
    key.append(0)
  }

  package static func appendEscaped(_ text: String, to key: inout [UInt8]) {
    var text = text
    text.withUTF8 { appendEscaped($0.span.bytes, to: &key) }
  }

  package static func appendEscaped(_ bytes: [UInt8], to key: inout [UInt8]) {
    appendEscaped(bytes.rawSpan, to: &key)
  }

  /// Appends bytes with every 0 written as 0 255.
  ///
  /// So 0 0 can end them, and sorts before any continuation.
  package static func appendEscaped(_ bytes: RawSpan, to key: inout [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      guard buffer.contains(0) else { return key.append(contentsOf: buffer) }
      for byte in buffer {
        key.append(byte)
        if byte == 0 { key.append(255) }
      }
    }
  }

  /// Complements the bytes starting at `start`, which reverses their order.
  package static func complement(_ key: inout [UInt8], from start: Int) {
    for index in start..<key.count { key[index] = ~key[index] }
  }
}
