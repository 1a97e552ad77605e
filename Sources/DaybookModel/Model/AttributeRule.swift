/// A rule for the values of a stored attribute.
///
///     Attribute(name: "servings", type: .integer, rules: [.minimum(1), .maximum(99)])
///
/// A commit that leaves an object with a new value that breaks a rule is refused at its end. Null breaks no rule: whether
/// it is allowed is ``Attribute/isOptional``. The words and their meaning are from JSON Schema's validation vocabulary
/// (draft 2020-12, section 6), where there is one.
public enum AttributeRule: Hashable, Sendable {
  /// The value is not less than this one. For numbers and dates.
  case minimum(Value)
  /// The value is not greater than this one. For numbers and dates.
  case maximum(Value)
  /// A string has at least so many Unicode scalars, data at least so many bytes.
  case minimumLength(Int)
  /// A string has at most so many Unicode scalars, data at most so many bytes.
  case maximumLength(Int)
  /// A string contains a match of this regular expression; `^` and `$` stand for its ends. The syntax is the same as
  /// for `MATCHES`.
  case pattern(String)
  /// The value is one of these.
  case oneOf([Value])
}

extension AttributeRule {
  /// The rule's key in a model file.
  package var key: String {
    switch self {
    case .minimum: "minimum"
    case .maximum: "maximum"
    case .minimumLength: "minimumLength"
    case .maximumLength: "maximumLength"
    case .pattern: "pattern"
    case .oneOf: "oneOf"
    }
  }

  /// The keys of all rules, in the order in which an attribute has them.
  static let keys = ["minimum", "maximum", "minimumLength", "maximumLength", "pattern", "oneOf"]

  /// The rule's value in a model file.
  ///
  /// - Parameter type: The type of the attribute.
  func json(as type: AttributeType) -> JSONValue {
    switch self {
    case .minimum(let value), .maximum(let value): value.json(as: type)
    case .minimumLength(let length), .maximumLength(let length): .integer(Int64(length))
    case .pattern(let text): .string(text)
    case .oneOf(let values): .array(values.map { $0.json(as: type) })
    }
  }

  /// The rule in the form of a model file: `minimum 1`, `oneOf ["a", "b"]`
  package func summary(as type: AttributeType) -> String { "\(key) \(json(as: type).text)" }

  /// Returns the rule with its values as an attribute of a type stores them.
  ///
  /// Whole numbers are taken for each type of numbers.
  ///
  /// - Throws: The first value that the type does not allow.
  func normalized(as type: AttributeType) throws(ValueError) -> AttributeRule {
    switch self {
    case .minimum(let value): return .minimum(try value.asRule(for: type))
    case .maximum(let value): return .maximum(try value.asRule(for: type))
    case .oneOf(let values):
      var normalized: [Value] = []
      for value in values { normalized.append(try value.asRule(for: type)) }
      return .oneOf(normalized)
    case .minimumLength, .maximumLength, .pattern: return self
    }
  }
}

private extension Value {
  func asRule(for type: AttributeType) throws(ValueError) -> Value {
    guard case .integer(let number) = self, type == .double || type == .decimal else { return try normalized(as: type) }
    return type == .decimal ? .decimal(.init(number)) : .double(Double(number))
  }
}
