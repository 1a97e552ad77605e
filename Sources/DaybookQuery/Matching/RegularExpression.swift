/// A regular expression in Swift's syntax, which is matched scalar by scalar.
///
/// It is compiled by `init`. Matching tries alternatives one after the other: for some expressions, the time doubles
/// with each character of the text.
///
/// - Note: `Regex` is not declared `Sendable`, because it may hold a program's closures. This one is compiled from text
///   and holds none, and `init` triggers the compilation that happens at the first match; so it never changes
///   afterwards.
package struct RegularExpression: @unchecked Sendable {
  private let regex: Regex<AnyRegexOutput>

  /// The limit on an expression's bytes.
  static let maximumByteCount = 4096

  struct TooLong: Error, CustomStringConvertible {
    var description: String { "it has more than \(RegularExpression.maximumByteCount) bytes" }
  }

  init(_ text: String, options: Filter.Options) throws {
    guard text.utf8.count <= RegularExpression.maximumByteCount else { throw TooLong() }
    // The expression ignores case itself, because folding its text would turn `\S` into `\s`.
    let fold = TextFold(options.intersection(.diacriticInsensitive))
    var regex = try Regex(fold.apply(text)).matchingSemantics(.unicodeScalar)
    if options.contains(.caseInsensitive) { regex = regex.ignoresCase() }
    // Some invalid expressions fail only when they run.
    _ = try regex.wholeMatch(in: "")
    self.regex = regex
  }

  /// Compiles an expression that is searched for in a text.
  ///
  /// - Throws: The fault of the expression.
  package init(searching text: String) throws {
    try self.init(text, options: [])
  }

  /// Returns whether a part of a text matches.
  package func isFound(in text: String) -> Bool {
    // Only the closures of a program throw, and this expression has none.
    (try? regex.firstMatch(in: text)) ?? nil != nil
  }

  /// - Parameter text: The text, without its accents if the expression ignores them.
  /// - Returns: Whether the whole text matches.
  func matches(_ text: String) throws -> Bool {
    try regex.wholeMatch(in: text) != nil
  }
}
