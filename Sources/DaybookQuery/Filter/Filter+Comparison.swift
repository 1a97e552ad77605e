extension Filter {
  /// One test: two operands and an operator.
  package struct Comparison: Hashable, Sendable {
    package let quantifier: Quantifier?
    package let left: Operand
    package let operation: Operator
    package let options: Options
    package let right: Operand
    /// The place of the operator in the text.
    let place: Place
    /// The nesting depth of the canonical text.
    var depth: Int { max(left.depth, right.depth) }

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
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    /// Equal to the other operand; two missing values are equal.
    case equal = "=="
    /// Not equal to the other operand.
    case notEqual = "!="
    /// Less than the other operand, in the order of the attribute; a missing value never is.
    case less = "<"
    /// Less than the other operand, or equal to it.
    case lessOrEqual = "<="
    /// Greater than the other operand; a missing value never is.
    case greater = ">"
    /// Greater than the other operand, or equal to it.
    case greaterOrEqual = ">="
    /// At least the first and at most the second of two values.
    case between = "BETWEEN"
    /// Equal to one of a list of values.
    case among = "IN"
    /// Text that begins with another one.
    case beginsWith = "BEGINSWITH"
    /// Text that ends with another one.
    case endsWith = "ENDSWITH"
    /// Text that contains another one.
    case contains = "CONTAINS"
    /// Matches a pattern in which `?` stands for one Unicode scalar and `*` for any number.
    ///
    /// A `*` can match no scalar; `\` makes the character after it plain.
    case like = "LIKE"
    /// Matches a regular expression with the whole text.
    ///
    /// The time grows with the text and not faster, whatever the expression. An expression has at most 4,096 bytes, and
    /// no more than 10,000 steps when its repetitions are written out; references to groups and looking around are refused.
    case matches = "MATCHES"
  }

  /// The differences that a comparison of strings ignores.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Ignores case: strings are compared in the lower-case mappings of their Unicode scalars.
    public static let caseInsensitive = Options(rawValue: 1)
    /// Ignores accents: strings are compared decomposed and without non-spacing marks.
    ///
    /// The decomposition is the canonical one.
    public static let diacriticInsensitive = Options(rawValue: 2)
  }

  /// The number of values of a to-many relationship that must pass a test.
  package enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// At least one; not met without values.
    case any = "ANY"
    /// Each; met without values.
    case all = "ALL"
    /// None: the opposite of ``any``.
    case none = "NONE"
  }
}

/// The start of a part of a filter in its text.
///
/// It is not part of the filter's meaning, so all places are equal.
struct Place: Hashable, Sendable {
  var utf8Offset = 0

  static func == (a: Place, b: Place) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension Filter.Operator {
  /// Whether the right operand is a list.
  var takesList: Bool { self == .among || self == .between }

  /// Whether the operator is for text only.
  var isTextual: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .matches: true
    default: false
    }
  }

  var takesOptions: Bool { isTextual || self == .equal || self == .notEqual || self == .among }

  /// The operator for exchanged operands, or `nil` if the operands have different roles.
  var flipped: Filter.Operator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}

extension Filter.Comparison: CustomStringConvertible {
  func write(to text: inout String) {
    if let quantifier { text += quantifier.rawValue + " " }
    left.write(to: &text)
    text += " " + operation.rawValue + options.description + " "
    right.write(to: &text)
  }

  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }
}

extension Filter.Options: CustomStringConvertible {
  /// The form after an operator: `[c]`, `[d]`, `[cd]`, or empty.
  public var description: String {
    let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}
