import DaybookModel
import Foundation

/// Rules of an attribute as they are written at a property.
///
///     @Attribute(.length(1...200), .pattern("^[^/]*$")) var name: String
///     @Attribute(.range(1...99)) var servings = 4
///     @Attribute(.oneOf("low", "high")) var priority: String?
public struct AttributeRules: Sendable {
  /// The rules in the words of the model.
  package let rules: [AttributeRule]

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
  public static func range<Bound: ScalarValue & Comparable>(_ range: ClosedRange<Bound>) -> Self {
    Self([.minimum(range.lowerBound.scalarValue), .maximum(range.upperBound.scalarValue)])
  }

  /// The least value of a number or a date.
  public static func range<Bound: ScalarValue & Comparable>(_ range: PartialRangeFrom<Bound>) -> Self {
    Self([.minimum(range.lowerBound.scalarValue)])
  }

  /// The greatest value of a number or a date.
  public static func range<Bound: ScalarValue & Comparable>(_ range: PartialRangeThrough<Bound>) -> Self {
    Self([.maximum(range.upperBound.scalarValue)])
  }

  /// A regular expression that a string contains a match of; `^` and `$` stand for its ends.
  public static func pattern(_ text: String) -> Self { Self([.pattern(text)]) }

  /// The values that are allowed.
  public static func oneOf(_ values: Value...) -> Self { Self([.oneOf(values)]) }
}
