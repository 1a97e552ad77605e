import Foundation

/// The value of an attribute.
///
///     let values: [String: Value] = ["name": "Cake", "servings": 4, "vegan": true]
///
/// ``null`` stands for the absence of a value. Strings are sequences of UTF-8 bytes: two strings that are canonically
/// equivalent but differ in bytes are different values, and `==` on `Value` compares the bytes, unlike Swift's `==` on
/// `String`.
public enum Value: Sendable {
  /// No value.
  case null
  /// Text, stored as UTF-8.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// Any number except NaN; negative zero is stored as zero.
  case double(Double)
  /// Up to 38 significant digits.
  case decimal(Decimal)
  /// True or false.
  case boolean(Bool)
  /// A time in microseconds.
  case date(Timestamp)
  /// A UUID, such as the identity of an object.
  case uuid(ObjectID)
  /// Bytes; a `Codable` value is stored as the bytes of its JSON.
  case data([UInt8])
  /// A reference to the bytes of data, or of a `Codable` value, of more than 64 KiB: see ``LargeValue``.
  ///
  /// It equals data with the same bytes.
  case large(LargeValue)
}

extension Value: Hashable {
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.string(let a), .string(let b)): equalBytes(a, b)
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.large(let a), .large(let b)): a == b
    case (.large(let a), .data(let b)), (.data(let b), .large(let a)): a.equals(b)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .string(let text):
      hasher.combine(1)
      for unit in text.utf8 { hasher.combine(unit) }
    case .integer(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number)
    case .decimal(let number): hasher.combine(number)
    case .boolean(let flag): hasher.combine(flag)
    case .date(let time): hasher.combine(time)
    case .uuid(let id): hasher.combine(id)
    // A reference has the hash of the data that it equals.
    case .data(let bytes):
      if bytes.count > LargeValue.thresholdInBytes { hasher.combine(bytes.count) } else { hasher.combine(bytes) }
    case .large(let value): hasher.combine(value)
    }
  }

  /// Whether the value is null.
  @inlinable
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// Returns whether strings have the same UTF-8 bytes, ignoring canonical equivalence.
package func equalBytes(_ a: String, _ b: String) -> Bool {
  a.utf8.elementsEqual(b.utf8)
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(nilLiteral: ()) { self = .null }
}
