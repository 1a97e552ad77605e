extension Attribute {
  var members: JSONMembers {
    var members: JSONMembers = []
    members.add("name", name)
    members.add("renamedFrom", renamedFrom)
    members.add("type", type?.rawValue)
    members.add("optional", isOptional)
    if let type, !defaultValue.isNull { members.add("default", defaultValue.json(as: type)) }
    if order != .codepoint { members.add("order", order.rawValue) }
    if let derivation { members.add("derived", .object(derivation.members)) }
    return members
  }

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

private extension Derivation {
  var members: JSONMembers {
    let (kind, relationship, attribute) = parts
    return [(kind.key, .string(attribute.map { "\(relationship).\($0)" } ?? relationship))]
  }

  /// `count of ingredients`, `sum of ingredients.amount`
  var summary: String {
    let (kind, relationship, attribute) = parts
    return "\(kind.rawValue) of \(attribute.map { "\(relationship).\($0)" } ?? relationship)"
  }
}
