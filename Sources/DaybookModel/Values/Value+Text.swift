extension Value {
  /// The value as people read it: text as it is, numbers in their shortest exact form, dates in ISO 8601, bytes in
  /// base64, and nothing for null.
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
    }
  }

  /// The value of an attribute of this type as people read it: as ``text``, but a codable value as its JSON.
  package func text(as type: AttributeType) -> String {
    guard case .data(let bytes) = self, type == .codable, let text = String(validating: bytes.span.bytes) else {
      return text
    }
    return text
  }

  private static func text(of number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
    return "\(number)"
  }

  /// Reads what a person typed as the value of an attribute: `servings=4`.
  ///
  /// Every text is a string, the empty one too; for the other types nothing but the value may be there, no space
  /// either. What ``text(as:)`` prints reads as the same value.
  ///
  /// - Throws: The text, and what the type allows.
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
    case .data: Base64.bytes(of: text).map(Value.data)
    case .codable: try Value(codable: text)
    }
  }

  /// A double in decimal digits, or an infinity by name; too large a number is none.
  private static func double(_ text: String) -> Double? {
    switch text {
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    guard NumberText(text) != nil, let number = Double(text), number.isFinite else { return nil }
    return number == 0 ? 0 : number
  }

  /// The bytes of a codable value, its JSON in canonical form; null for null.
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
  /// The value as people read it: text as it is, numbers in their shortest exact form, dates in ISO 8601, bytes in
  /// base64, and `null`.
  public var description: String { isNull ? "null" : text }
}
