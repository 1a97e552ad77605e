/// A JSON value, with the members of objects in their order.
///
///     let line = try JSONValue(parsing: #"{"position": 7, "id": null}"#)
///     line["position"]?.integerValue   // 7
///
/// This is not Foundation's parser, because Foundation loses the order of members, accepts duplicate keys, and does not
/// report the place of an error.
package indirect enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  /// A number written without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// A number whose shortest form is exactly the number written.
  ///
  /// An infinity is written as the string `"Infinity"` or `"-Infinity"`, since JSON has no number for it.
  case number(Double)
  /// A number that neither `Int64` nor `Double` holds exactly, such as `18446744073709551615`.
  case literal(String)
  case string(String)
  case array([JSONValue])
  /// The keys of an object differ in their UTF-8 bytes.
  case object([(key: String, value: JSONValue)])
}

extension JSONValue: Equatable {
  /// Returns whether both are the same, including the order of members.
  ///
  /// Strings compare as bytes.
  package static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.literal(let a), .literal(let b)), (.string(let a), .string(let b)): equalBytes(a, b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.elementsEqual(b) { equalBytes($0.key, $1.key) && $0.value == $1.value }
    default: false
    }
  }
}

extension JSONValue {
  /// The member with a key, or `nil` if the value is no object or lacks the key.
  package subscript(key: String) -> JSONValue? {
    members?.first { equalBytes($0.key, key) }?.value
  }

  /// The element at an index, or `nil` if the value is no array or has fewer elements.
  package subscript(index: Int) -> JSONValue? {
    guard let elements, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  package var booleanValue: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  /// A number without a fraction, however it is written: 2.0 and 2e0 are the integer 2, as JSON Schema has it (2020-12, 6.1.1).
  ///
  /// A number with a fraction or exponent beyond 2⁵³ does not count, because it was rounded.
  package var integerValue: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number) where abs(number) <= 0x1p53: Int64(exactly: number)
    default: nil
    }
  }

  /// Any number, rounded to the nearest double.
  package var doubleValue: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .literal(let text): Double(text)
    default: nil
    }
  }

  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements of an array.
  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object.
  package var members: [(key: String, value: JSONValue)]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The kind of value for messages, such as “a string”.
  package var nounPhrase: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .number, .literal: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (key: $0, value: $1) })
  }
}

extension JSONValue {
  /// The limit on the nesting of arrays and objects.
  package static let maximumDepth = 200
  /// The longest text that is parsed: 256 MiB, as large as a commit can be.
  package static let maximumByteCount = 256 << 20

  /// Parses a text with one JSON value (RFC 8259), which only white space may surround.
  ///
  /// - Throws: The error and its place: invalid JSON, invalid UTF-8 or a lone surrogate, a duplicate key, or a text
  ///   that is nested too deeply or too long.
  package init(parsing text: [UInt8]) throws(JSONError) {
    guard text.count <= JSONValue.maximumByteCount else {
      throw JSONError(
        "the text has \(text.count) bytes; \(JSONValue.maximumByteCount) are allowed", line: 1, column: 1)
    }
    if let offset = JSONParser.invalidOffset(in: text) {
      throw JSONError("a byte that is not UTF-8", at: offset, of: text)
    }
    var parser = JSONParser(text: text)
    self = try parser.document()
  }

  package init(parsing text: some StringProtocol) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }
}
