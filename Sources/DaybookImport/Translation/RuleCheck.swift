#if Import

import DaybookModel
import DaybookQuery

/// A rule of an attribute in the form in which values are compared with it.
struct RuleCheck {
  let rule: AttributeRule
  private let expression: RegularExpression?

  init(_ rule: AttributeRule) {
    self.rule = rule
    if case .pattern(let text) = rule {
      // A pattern that cannot be compiled is never translated to a rule.
      expression = try? RegularExpression(searching: text)
    } else {
      expression = nil
    }
  }

  /// Returns whether a value meets the rule; null always does.
  func allows(_ value: Value) -> Bool {
    if value.isNull { return true }
    switch rule {
    case .minimum(let least): return ValueOrder.compare(value, least) >= 0
    case .maximum(let most): return ValueOrder.compare(value, most) <= 0
    case .minimumLength(let least): return value.length.map { $0 >= least } ?? true
    case .maximumLength(let most): return value.length.map { $0 <= most } ?? true
    case .oneOf(let values): return values.contains(value)
    case .pattern:
      guard case .string(let text) = value, let expression else { return true }
      // No limit is set here, so the search ends with a result.
      return (try? expression.isFound(in: text)) ?? true
    }
  }
}

#endif
