/// Short descriptions of declarations for users.

extension Attribute {
  /// `string, optional`, `integer, default 1`, `count of ingredients`
  var summary: String {
    if let derivation { return derivation.summary }
    var words = [type?.rawValue ?? ""]
    if isOptional { words.append("optional") }
    if let type, !defaultValue.isNull { words.append("default \(defaultValue.defaultText(as: type))") }
    if order != .codepoint { words.append("order \(order.rawValue)") }
    return words.joined(separator: ", ")
  }
}

extension Derivation {
  /// `count of ingredients`, `sum of ingredients.amount`
  var summary: String {
    let (kind, relationship, attribute) = parts
    return "\(kind.rawValue) of \(attribute.map { "\(relationship).\($0)" } ?? relationship)"
  }
}

extension Relationship {
  /// `to-many Ingredient, ordered, cascade`
  var summary: String {
    var words = [isMany ? "to-many \(target)" : "to-one \(target)"]
    if isOptional { words.append("optional") }
    if isOrdered { words.append("ordered") }
    if deleteRule != .nullify { words.append(deleteRule.rawValue) }
    return words.joined(separator: ", ")
  }
}

extension Index {
  /// `[type.name, changedAt:desc]`
  var summary: String { "[\(terms.map(\.text).joined(separator: ", "))]" }
}

extension Value {
  /// The value in the text of a step: “none” for null, and strings in quotes.
  func defaultText(as type: AttributeType) -> String {
    isNull ? "none" : type == .string ? "“\(text)”" : text(as: type)
  }
}
