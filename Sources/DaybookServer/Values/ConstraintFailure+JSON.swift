#if Server

import Daybook
import DaybookModel

extension ConstraintFailure {
  /// The failure as a member of a problem document.
  ///
  /// The value is left out if the rule is not about one.
  package var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("entity", .string(entity)), ("object", .string("\(object)")), ("fields", .array(fields.map { .string($0) })),
      ("rule", .string(rule.word)),
    ]
    // Only a codable value is written in another form for its type, and no rule is about one.
    if !value.isNull { members.append(("value", value.json(as: .data))) }
    return .object(members)
  }
}

private extension ConstraintFailure.Rule {
  /// The word for the rule in a model file; its own name where the model file has none.
  var word: String {
    switch self {
    case .required: "required"
    case .unique: "unique"
    case .acyclic: "acyclic"
    case .sum: "sum"
    case .attribute(let rule): rule.key
    case .condition: "rule"
    case .least: "least"
    case .most: "most"
    case .deny: "deny"
    case .validation: "validation"
    }
  }
}

#endif
