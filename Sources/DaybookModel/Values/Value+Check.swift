extension Value {
  /// Checks that an attribute of a type can store the value; every type can store null.
  ///
  /// The bytes of a large value are not read: the caller checks that the bytes of a codable one are JSON.
  ///
  /// - Throws: The value and the allowed values: for a value of another type, NaN, a decimal of too many digits, or the
  ///   bytes of a codable value that are not JSON.
  package func check(type: AttributeType) throws(ValueError) {
    switch (self, type) {
    case (.null, _), (.string, .string), (.integer, .integer), (.boolean, .boolean), (.date, .date), (.uuid, .uuid),
      (.data, .data), (.large, .data), (.large, .codable):
      return
    case (.double(let number), .double) where !number.isNaN: return
    case (.decimal(let number), .decimal) where !number.isNaN && DecimalParts(number).isStorable: return
    case (.data(let bytes), .codable): try Value.checkJSON(bytes)
    default: throw ValueError(text, type: type)
    }
  }

  private static func checkJSON(_ bytes: [UInt8]) throws(ValueError) {
    do {
      let json = try JSONValue(parsing: bytes)
      if json.isNull {
        throw ValueError("null", type: .codable, allowed: "JSON null is not a value; store null itself")
      }
    } catch let error as ValueError {
      throw error
    } catch {
      throw ValueError(String(decoding: bytes, as: UTF8.self), type: .codable, allowed: "give a JSON value; \(error)")
    }
  }

  /// Returns the value as an attribute of a type stores it: checked and in its unique form.
  ///
  /// Negative zero becomes zero, a decimal loses its trailing zeros, and a codable value becomes its canonical JSON.
  /// Otherwise a write that changes nothing could look like a change.
  ///
  /// - Throws: The errors of ``check(type:)``.
  package func normalized(as type: AttributeType) throws(ValueError) -> Value {
    if case .data(let bytes) = self, type == .codable {
      return try Value(text: String(decoding: bytes, as: UTF8.self), type: .codable)
    }
    try check(type: type)
    switch self {
    case .double(let number) where number == 0: return .double(0)
    case .decimal(let number): return .decimal(DecimalParts(number).decimal)
    default: return self
    }
  }
}

/// An error for a refused value: the value, the expected type, and the values it allows.
package struct ValueError: Error, Hashable, Sendable {
  /// The value as text, shortened if it is long.
  package let value: String
  /// The expected type.
  package let type: AttributeType
  /// The values that the type allows.
  package let allowed: String

  package init(_ value: String, type: AttributeType, allowed: String? = nil) {
    let shown = value.prefix(ValueError.shownCharacters)
    self.value = shown.endIndex == value.endIndex ? value : shown + "…"
    self.type = type
    self.allowed = allowed ?? type.allowed
  }

  private static let shownCharacters = 80
}

extension ValueError: CustomStringConvertible {
  package var description: String { "“\(value)” is not \(type.nounPhrase): \(allowed)" }
}
