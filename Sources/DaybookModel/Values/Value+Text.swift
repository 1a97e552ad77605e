extension Value {
  /// The value as display text; empty for null.
  ///
  /// Text is unchanged, numbers are in their shortest exact form, dates in ISO 8601, bytes in base64, and a large value
  /// is its reference.
  package var text: String {
    switch self {
    case .null: ""
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): Value.text(of: number)
    case .decimal(let number): number.isNaN ? "NaN" : DecimalParts(number).description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let time): time.description
    case .uuid(let id): id.description
    case .data(let bytes): Base64.text(of: bytes)
    case .large(let value): value.description
    }
  }

  /// Returns display text like ``text``, but a codable value as its JSON.
  package func text(as type: AttributeType) -> String {
    guard case .data(let bytes) = self, type == .codable, let text = String(validating: bytes.rawSpan) else {
      return text
    }
    return text
  }

  private static func text(of number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
    return "\(number)"
  }

  /// Reads the value of an attribute from user input: `servings=4`.
  ///
  /// Every text is a string, including the empty one; for the other types the text must be the value alone, without
  /// spaces. Text from ``text(as:)`` reads as the same value.
  ///
  /// - Throws: The text and the allowed values.
  package init(text: String, type: AttributeType) throws(ValueError) {
    guard let value = try Value.parsed(text, as: type) else { throw ValueError(text, type: type) }
    self = value
  }

  private static func parsed(_ text: String, as type: AttributeType) throws(ValueError) -> Value? {
    switch type {
    case .string: .string(text)
    case .integer: Int64(text).map(Value.integer)
    case .double: double(text).map(Value.double)
    case .decimal: NumberText(text)?.decimalParts.map { .decimal($0.decimal) }
    case .boolean: Bool(text).map(Value.boolean)
    case .date: Timestamp(text).map(Value.date)
    case .uuid: ObjectID(text).map(Value.uuid)
    case .data: LargeValue(text: text).map(Value.large) ?? Base64.bytes(of: text).map(Value.data)
    case .codable: if let large = LargeValue(text: text) { .large(large) } else { try Value(codable: text) }
    }
  }

  /// Reads a double or a named infinity, or returns `nil` for other text or a larger number.
  private static func double(_ text: String) -> Double? {
    switch text {
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    guard NumberText(text) != nil, let number = Double(text), number.isFinite else { return nil }
    return number == 0 ? 0 : number
  }

  /// Creates a codable value as canonical JSON bytes, or null for null.
  private init(codable text: String) throws(ValueError) {
    do {
      let json = try JSONValue(parsing: text)
      self = json.isNull ? .null : .data(json.canonicalBytes)
    } catch {
      throw ValueError(text, type: .codable, allowed: "give a JSON value; \(error)")
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value as display text, with `null` for no value.
  ///
  /// Text is unchanged, numbers are in their shortest exact form, dates in ISO 8601, bytes in base64.
  public var description: String { isNull ? "null" : text }
}

extension Value {
  /// The value in the text of a step: “none” for null, and strings in quotes.
  func defaultText(as type: AttributeType) -> String {
    isNull ? "none" : type == .string ? "“\(text)”" : text(as: type)
  }
}
