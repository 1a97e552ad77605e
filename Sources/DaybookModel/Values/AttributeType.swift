/// The types that values can have.
public enum AttributeType: String, Hashable, Sendable, CaseIterable {
  /// Text of UTF-8.
  case string
  /// A whole number of 64 bits.
  case integer
  /// A binary floating-point number of 64 bits, except NaN.
  case double
  /// A decimal number of at most 38 significant digits.
  case decimal
  /// True or false.
  case boolean
  /// A time in microseconds.
  case date
  /// A UUID, such as the identity of an object.
  case uuid
  /// Bytes, at most 64 MiB of them.
  case data
  /// A `Codable` value, stored as the bytes of its JSON.
  case codable
}

extension AttributeType {
  package var isNumeric: Bool { self == .integer || self == .double || self == .decimal }

  /// Whether results can be sorted by values of the type.
  package var isOrdered: Bool { self != .data && self != .codable }

  /// The type with its article, for messages.
  package var nounPhrase: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .double: "a double"
    case .decimal: "a decimal"
    case .boolean: "a boolean"
    case .date: "a date"
    case .uuid: "a UUID"
    case .data: "data"
    case .codable: "a codable value"
    }
  }

  /// The allowed values, for messages.
  var allowed: String {
    switch self {
    case .string: "give text"
    case .integer: "give a whole number from \(Int64.min) to \(Int64.max)"
    case .double: "give a number, or Infinity or -Infinity"
    case .decimal: "give a number of at most 38 significant digits, with an exponent from -128 to 127"
    case .boolean: "give true or false"
    case .date: "give an ISO 8601 date or time, such as \(Timestamp.forms)"
    case .uuid: "give a UUID, such as 0190163d-8694-739b-aea5-966c26f8ad91"
    case .data: "give bytes in base64"
    case .codable: "give a JSON value"
    }
  }
}
