#if Import

import DaybookModel
import DaybookQuery

extension EntityTranslator {
  /// Returns the rules of an attribute that Daybook has too.
  mutating func rules(of attribute: SourceAttribute, _ type: AttributeType) -> [AttributeRule] {
    let declared = attribute.rules
    var rules: [AttributeRule] = []
    let place = field(attribute.name).description
    for (value, make) in [(declared.minimum, AttributeRule.minimum), (declared.maximum, AttributeRule.maximum)] {
      guard let value else { continue }
      guard [.integer, .double, .decimal, .date].contains(type), let limit = value.fitting(type), !limit.isNull else {
        change("the limit \(value.text)", to: "no limit", why: "\(type.nounPhrase) has no such limit", place)
        continue
      }
      rules.append(make(limit))
    }
    if type == .string {
      if let length = declared.minimumLength, length >= 0 { rules.append(.minimumLength(length)) }
      if let length = declared.maximumLength, length >= 0 { rules.append(.maximumLength(length)) }
      if let pattern = declared.pattern, let rule = patternRule(pattern, place) { rules.append(rule) }
    }
    return withoutContradiction(rules, place)
  }

  /// Returns the rule of a pattern that the whole string matches, or `nil` for a pattern that Daybook refuses.
  private mutating func patternRule(_ pattern: String, _ place: String) -> AttributeRule? {
    let anchored = "^(?:\(pattern))$"
    do {
      _ = try RegularExpression(searching: anchored)
      return .pattern(anchored)
    } catch {
      change("the pattern \(pattern)", to: "no pattern", why: "\(error)", place)
      return nil
    }
  }

  /// Returns the rules without a pair that no value meets.
  private mutating func withoutContradiction(_ rules: [AttributeRule], _ place: String) -> [AttributeRule] {
    var kept = rules
    for (index, rule) in rules.enumerated() {
      guard index > 0, rule.contradicts(rules[index - 1]) else { continue }
      change("a least and a greatest value", to: "no limits", why: "no value meets both", place)
      kept.removeAll { $0 == rule || $0 == rules[index - 1] }
    }
    return kept
  }
}

private extension AttributeRule {
  /// Whether this rule is the upper limit for a lower one above it.
  func contradicts(_ other: AttributeRule) -> Bool {
    switch (other, self) {
    case (.minimum(let least), .maximum(let most)): ValueOrder.compare(least, most) > 0
    case (.minimumLength(let least), .maximumLength(let most)): least > most
    default: false
    }
  }
}

#endif
