extension Value {
  /// Reads the value of an attribute from JSON.
  ///
  /// Dates are strings in ISO 8601, data is base64 or the reference to a large value, identities are UUIDs, decimals are strings or numbers, doubles are
  /// numbers or the strings `"Infinity"` and `"-Infinity"`. An integer must be written without fraction and exponent. A
  /// codable value is any JSON value except null, and is stored as the bytes of its canonical JSON, so that a different
  /// order of its members or different spaces are no change. Null is null for every type.
  ///
  /// - Throws: The JSON and the allowed values.
  package init(json: JSONValue, type: AttributeType) throws(ValueError) {
    if json.isNull {
      self = .null
      return
    }
    guard let value = try Value.read(json, as: type) else {
      throw ValueError(json.stringValue ?? json.text, type: type)
    }
    self = value
  }

  private static func read(_ json: JSONValue, as type: AttributeType) throws(ValueError) -> Value? {
    switch (type, json) {
    case (.string, .string(let text)): return .string(text)
    case (.integer, .integer(let number)): return .integer(number)
    case (.boolean, .boolean(let flag)): return .boolean(flag)
    case (.double, .string("Infinity")), (.double, .string("-Infinity")), (.decimal, .string), (.date, .string),
      (.uuid, .string), (.data, .string):
      return try Value(text: json.stringValue ?? "", type: type)
    case (.double, .integer), (.double, .number), (.double, .literal):
      return json.doubleValue.flatMap { $0.isNaN || isOverflow($0, of: json) ? nil : .double($0 == 0 ? 0 : $0) }
    case (.decimal, .integer), (.decimal, .number), (.decimal, .literal):
      return NumberText(json.text)?.decimalParts.map { .decimal($0.decimal) }
    case (.data, .object): return LargeValue(json: json).map { .large($0) }
    case (.codable, _): return .data(json.canonicalBytes)
    default: return nil
    }
  }

  /// Returns whether a number is infinite because it is too large for a double.
  private static func isOverflow(_ number: Double, of json: JSONValue) -> Bool {
    guard case .literal = json else { return false }
    return number.isInfinite
  }

  /// Returns an attribute's value as JSON, in the form that ``init(json:type:)`` reads.
  ///
  /// A codable value is written as its JSON, or as base64 if its bytes are not JSON. A large value is written as its
  /// reference.
  package func json(as type: AttributeType) -> JSONValue {
    switch self {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .double(let number): return .number(number)
    case .boolean(let flag): return .boolean(flag)
    case .large(let value): return value.json
    case .data(let bytes) where type == .codable:
      // Bytes that are not JSON cannot be written as JSON, and must not prevent the rest from being written.
      return (try? JSONValue(parsing: bytes)) ?? .string(text)
    case .string, .decimal, .date, .uuid, .data: return .string(text)
    }
  }
}
