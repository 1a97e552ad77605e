#if Import

import DaybookModel

/// The limits on the values of an attribute.
package struct SourceRules: Hashable, Sendable {
  /// The least number or date.
  package var minimum: Value?
  /// The greatest number or date.
  package var maximum: Value?
  /// The least length of a string.
  package var minimumLength: Int?
  /// The greatest length of a string.
  package var maximumLength: Int?
  /// A regular expression that the whole string matches, in the syntax of `NSRegularExpression`.
  package var pattern: String?

  package init() {}

  package var isEmpty: Bool { self == SourceRules() }
}

#endif
