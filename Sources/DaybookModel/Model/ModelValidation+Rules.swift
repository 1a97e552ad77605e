/// The rules of a model that can be checked without a filter or a regular expression.
extension ModelValidation {
  mutating func checkRules(of attribute: Attribute, type: AttributeType, place: String) {
    var keys: Set<String> = []
    for rule in attribute.rules where !keys.insert(rule.key).inserted {
      add(place, "has two rules “\(rule.key)”; one is enough")
    }
    for rule in attribute.rules {
      if let types = rule.types, !types.contains(type) {
        add(place, "“\(rule.key)” is a rule for \(rule.subject), and the attribute is \(type.nounPhrase)")
        continue
      }
      do throws(ValueError) {
        try check(rule.normalized(as: type), place: place)
      } catch {
        add(place, "“\(rule.key)”: \(error)")
      }
    }
    checkOrder(of: attribute.normalizedRules, place: place)
  }

  private mutating func check(_ rule: AttributeRule, place: String) {
    switch rule {
    case .minimumLength(let length) where length < 0, .maximumLength(let length) where length < 0:
      add(place, "“\(rule.key)” is \(length); a length is 0 or more")
    case .oneOf(let values) where values.isEmpty: add(place, "“oneOf” is empty, so no value would be allowed")
    case .oneOf(let values) where values.contains(.null):
      add(place, "“oneOf” has null, which is never checked; declare the attribute optional")
    case .minimum(.null), .maximum(.null): add(place, "“\(rule.key)” is null; give a value, or leave it out")
    default: return
    }
  }

  /// Checks that the least that is allowed is not above the most.
  private mutating func checkOrder(of rules: [AttributeRule], place: String) {
    var (least, most): (Value?, Value?)
    var (shortest, longest): (Int?, Int?)
    for rule in rules {
      switch rule {
      case .minimum(let value): least = value
      case .maximum(let value): most = value
      case .minimumLength(let length): shortest = length
      case .maximumLength(let length): longest = length
      case .pattern, .oneOf: continue
      }
    }
    if let least, let most, ValueOrder.compare(least, most) > 0 {
      add(place, "“minimum” is above “maximum”, so no value would be allowed")
    }
    if let shortest, let longest, shortest > longest {
      add(place, "“minimumLength” is above “maximumLength”, so no value would be allowed")
    }
  }

  mutating func checkTargetCounts(of relationship: Relationship, place: String) {
    guard relationship.least != nil || relationship.most != nil else { return }
    guard relationship.isMany else {
      return add(place, "“least” and “most” are for to-many relationships; a to-one is required or “optional”")
    }
    if let least = relationship.least, least < 0 { add(place, "“least” is \(least); give 0 or more") }
    if let most = relationship.most, most < 1 { add(place, "“most” is \(most); give 1 or more") }
    if let least = relationship.least, let most = relationship.most, least > most {
      add(place, "“least” is above “most”, so no number of targets would be allowed")
    }
  }
}

private extension AttributeRule {
  /// The types of attributes that can have the rule; `nil` for all.
  var types: [AttributeType]? {
    switch self {
    case .minimum, .maximum: [.integer, .double, .decimal, .date]
    case .minimumLength, .maximumLength: [.string, .data]
    case .pattern: [.string]
    case .oneOf: AttributeType.allCases.filter { $0 != .codable }
    }
  }

  var subject: String {
    switch self {
    case .minimum, .maximum: "numbers and dates"
    case .minimumLength, .maximumLength: "strings and data"
    case .pattern: "strings"
    case .oneOf: "values that can be compared"
    }
  }
}
