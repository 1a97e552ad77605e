import WorkLimits

/// A regular expression, which is matched scalar by scalar in time linear in the text.
///
/// All ways to match are followed at once, so none is tried after another. What would need that, such as a reference to
/// what a group has matched, is refused. The article on filters lists the syntax.
package struct RegularExpression: Sendable {
  private let program: ExpressionProgram

  /// The limit on an expression's bytes.
  static let maximumByteCount = 4096

  /// - Throws: `ExpressionFault`.
  init(_ text: String, options: Filter.Options) throws(ExpressionFault) {
    guard text.utf8.count <= RegularExpression.maximumByteCount else {
      throw ExpressionFault("it has more than \(RegularExpression.maximumByteCount) bytes")
    }
    // The expression ignores case itself, because folding its text would turn `\S` into `\s`.
    let fold = TextFold(options.intersection(.diacriticInsensitive))
    var parser = ExpressionParser(fold.apply(text), ignoresCase: options.contains(.caseInsensitive))
    program = try ExpressionProgram(parser.parse())
  }

  /// Compiles an expression that is searched for in a text.
  ///
  /// - Throws: The fault of the expression.
  package init(searching text: String) throws {
    try self.init(text, options: [])
  }

  /// Returns whether a part of a text matches.
  ///
  /// - Throws: `WorkLimitExceeded`.
  /// - Complexity: O(*n* · *m*) for a text of *n* scalars and an expression of *m* steps, which are at most 10,000.
  package func isFound(in text: String) throws(WorkLimitExceeded) -> Bool {
    var run = ExpressionRun(program)
    return try run.matches(text, isWhole: false)
  }

  /// Returns whether the whole text matches.
  ///
  /// - Parameter text: The text, without its accents if the expression ignores them.
  /// - Throws: `WorkLimitExceeded`.
  /// - Complexity: As ``isFound(in:)``.
  func matches(_ text: String) throws(WorkLimitExceeded) -> Bool {
    var run = ExpressionRun(program)
    return try run.matches(text, isWhole: true)
  }
}
