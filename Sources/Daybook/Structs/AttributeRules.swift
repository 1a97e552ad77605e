import DaybookModel
import Foundation

/// Rules of an attribute as they are written at a property.
///
///     @Attribute(.length(1...200), .pattern("^[^/]*$")) var name: String
///     @Attribute(.range(1...99)) var servings = 4
///     @Attribute(.oneOf("low", "high")) var priority: String?
public struct AttributeRules: Sendable {
  /// The rules in the words of the model.
  public let rules: [AttributeRule]

  private init(_ rules: [AttributeRule]) {
    self.rules = rules
  }

  /// The number of Unicode scalars of a string, or of bytes of data.
  public static func length(_ range: ClosedRange<Int>) -> Self {
    Self([.minimumLength(range.lowerBound), .maximumLength(range.upperBound)])
  }

  /// The least number of Unicode scalars of a string, or of bytes of data.
  public static func length(_ range: PartialRangeFrom<Int>) -> Self { Self([.minimumLength(range.lowerBound)]) }

  /// The greatest number of Unicode scalars of a string, or of bytes of data.
  public static func length(_ range: PartialRangeThrough<Int>) -> Self { Self([.maximumLength(range.upperBound)]) }

  /// The least and the greatest value of a number or a date.
  public static func range<Bound: RuleBound>(_ range: ClosedRange<Bound>) -> Self {
    Self([.minimum(range.lowerBound.ruleValue), .maximum(range.upperBound.ruleValue)])
  }

  /// The least value of a number or a date.
  public static func range<Bound: RuleBound>(_ range: PartialRangeFrom<Bound>) -> Self {
    Self([.minimum(range.lowerBound.ruleValue)])
  }

  /// The greatest value of a number or a date.
  public static func range<Bound: RuleBound>(_ range: PartialRangeThrough<Bound>) -> Self {
    Self([.maximum(range.upperBound.ruleValue)])
  }

  /// A regular expression that a string contains a match of; `^` and `$` stand for its ends.
  public static func pattern(_ text: String) -> Self { Self([.pattern(text)]) }

  /// The values that are allowed.
  public static func oneOf(_ values: Value...) -> Self { Self([.oneOf(values)]) }
}

/// A type of which a range can limit an attribute.
public protocol RuleBound: Comparable {
  /// The bound as a value.
  var ruleValue: Value { get }
}

extension Decimal: RuleBound { public var ruleValue: Value { .decimal(self) } }
extension Int: RuleBound { public var ruleValue: Value { .integer(Int64(self)) } }
extension Double: RuleBound { public var ruleValue: Value { .double(self) } }
extension Timestamp: RuleBound { public var ruleValue: Value { .date(self) } }
