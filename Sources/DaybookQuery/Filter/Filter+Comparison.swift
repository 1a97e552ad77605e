extension Filter {
  /// One test: two operands and what is asked of them.
  package struct Comparison: Hashable, Sendable {
    package let quantifier: Quantifier?
    package let left: Operand
    package let operation: Operator
    package let options: Options
    package let right: Operand
    /// Where the operator stands.
    let place: Place

    init(
      quantifier: Quantifier?, left: Operand, operation: Operator, options: Options, right: Operand,
      place: Place = Place()
    ) {
      self.quantifier = quantifier
      self.left = left
      self.operation = operation
      self.options = options
      self.right = right
      self.place = place
    }
  }

  /// How an operand is tested.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// At least the first and at most the second of two values.
    case between = "BETWEEN"
    /// Equal to one of a list of values.
    case among = "IN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// Matches a pattern in which `?` stands for one Unicode scalar and `*` for any number of them, none included; `\`
    /// takes the special meaning from the character that follows.
    case like = "LIKE"
    /// Matches a regular expression, as a whole.
    ///
    /// Matching tries alternatives, so an expression such as `(a+)+b` can take a time that doubles with each character
    /// of the text: do not take expressions from people you do not trust.
    case matches = "MATCHES"
  }

  /// What a comparison of strings overlooks.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Upper and lower case: strings are compared in the lower-case mappings of their Unicode scalars.
    public static let caseInsensitive = Options(rawValue: 1)
    /// Accents: strings are compared in canonical decomposition and without non-spacing marks.
    public static let diacriticInsensitive = Options(rawValue: 2)
  }

  /// How many of the values behind a to-many relationship must pass a test.
  public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// At least one; so not met where there are no values.
    case any = "ANY"
    /// Each; so met where there are no values.
    case all = "ALL"
    /// None: the opposite of ``any``.
    case none = "NONE"
  }
}

/// Where a part of a filter begins in the filter's text. It is no part of what the filter means, so all places are equal.
struct Place: Hashable, Sendable {
  var utf8Offset = 0

  static func == (a: Place, b: Place) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
