import Foundation

/// The identity of an object: 128 bits, written as a UUID.
///
/// The client creates it, so an object can be named before it is stored. New identities are UUIDv7 (RFC 9562, section
/// 5.7): their first 48 bits are milliseconds since 1970, so later identities sort later, which keeps inserts at the
/// right edge of every table that is keyed by them. Any other UUID is accepted.
///
///     let id = ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")
///
/// Identities compare like their 16 bytes.
public struct ObjectID: Hashable, Sendable, BitwiseCopyable {
  /// The first eight bytes, big-endian.
  @usableFromInline package let high: UInt64
  /// The last eight bytes, big-endian.
  @usableFromInline package let low: UInt64

  @inlinable
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a UUIDv7.
  ///
  /// - Parameters:
  ///   - milliseconds: Time since 1970-01-01T00:00:00Z; only the low 48 bits are used.
  ///   - random: Bits for the rest; 74 of them are used.
  package init(milliseconds: UInt64, random: (UInt64, UInt64)) {
    let version: UInt64 = 0x7000
    high = (milliseconds << 16) | version | (random.0 & 0x0fff)
    low = (0b10 << 62) | (random.1 >> 2)
  }

  /// Whether it is a UUIDv8, as the identities of derived objects are.
  package var isDerived: Bool { high & 0xF000 == 0x8000 }

  /// The number of bytes of an identity.
  @usableFromInline package static let byteCount = 16

  /// The smallest identity, all zeros.
  package static let zero = ObjectID(high: 0, low: 0)
}

extension ObjectID: Comparable {
  @inlinable
  public static func < (a: ObjectID, b: ObjectID) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }
}

extension ObjectID: LosslessStringConvertible {
  /// Reads the 36-character form in either case, or returns `nil` for any other text.
  public init?(_ text: some StringProtocol) {
    var digits = 0
    var words: (UInt64, UInt64) = (0, 0)
    var index = 0
    for unit in text.utf8 {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard unit == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = hexadecimalDigit(unit), digits < 32 else { return nil }
        if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
        digits += 1
      }
      index += 1
    }
    guard index == 36, digits == 32 else { return nil }
    self.init(high: words.0, low: words.1)
  }

  /// The lower-case, 36-character form.
  public var description: String {
    let digits = hexadecimal.utf8
    var text = ""
    text.reserveCapacity(36)
    for (index, digit) in digits.enumerated() {
      if index == 8 || index == 12 || index == 16 || index == 20 { text.append("-") }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    return text
  }

  /// The 32 hexadecimal digits without separators.
  package var hexadecimal: String { hexadecimalText(of: bytes.rawSpan) }

  /// The sixteen bytes of the identity, in the order in which identities sort.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ObjectID.byteCount)
    bytes.append(self)
    return bytes
  }

  /// The last eight hexadecimal digits, for display and input in place of a whole identity.
  package var shortForm: String { String(hexadecimal.suffix(8)) }
}

extension ObjectID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ObjectID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not a UUID.")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ObjectID {
  /// Creates the identity with the bytes of a UUID.
  public init(_ uuid: UUID) {
    let bytes = uuid.uuid
    func word(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ e: UInt8, _ f: UInt8, _ g: UInt8, _ h: UInt8) -> UInt64
    {
      [a, b, c, d, e, f, g, h].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(
      high: word(bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7),
      low: word(bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15))
  }
}

/// The identity of an object with the number of its entity.
@usableFromInline
package struct ObjectKey: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package let entity: Int
  @usableFromInline package let id: ObjectID

  @inlinable
  package init(entity: Int, id: ObjectID) {
    self.entity = entity
    self.id = id
  }
}

extension [UInt8] {
  @inlinable
  package mutating func append(_ id: ObjectID) {
    Swift.withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { append(contentsOf: $0) }
  }
}
