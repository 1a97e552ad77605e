import DaybookModel
import DaybookQuery
import WorkLimits

extension AttributeRule {
  /// Returns whether a value meets the rule; null always does.
  ///
  /// - Parameters:
  ///   - value: A value of the attribute's type, in stored form.
  ///   - expression: The compiled pattern, for a rule that is one.
  /// - Throws: `WorkLimitExceeded`.
  func allows(_ value: Value, _ expression: RegularExpression?) throws(WorkLimitExceeded) -> Bool {
    if value.isNull { return true }
    switch self {
    case .minimum(let least): return ValueOrder.compare(value, least) >= 0
    case .maximum(let most): return ValueOrder.compare(value, most) <= 0
    case .minimumLength(let least): return value.length.map { $0 >= least } ?? true
    case .maximumLength(let most): return value.length.map { $0 <= most } ?? true
    case .oneOf(let values): return values.contains(value)
    case .pattern:
      guard case .string(let text) = value, let expression else { return true }
      return try expression.isFound(in: text)
    }
  }
}
