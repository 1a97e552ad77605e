/// A regular expression in Swift's syntax that a whole text must match, scalar by scalar.
///
/// It is compiled when it is made. Matching tries alternatives one after the other: there are expressions for which the
/// time doubles with each character of the text.
///
/// - Note: `Regex` is not declared `Sendable`, because it may hold a program's closures. This one was made from text and
///   holds none, and its program, which is made at the first match, was made by `init`; so nothing of it ever changes.
package struct RegularExpression: @unchecked Sendable {
  private let regex: Regex<AnyRegexOutput>

  /// The most bytes that an expression may have.
  static let maximumByteCount = 4096

  struct TooLong: Error, CustomStringConvertible {
    var description: String { "it has more than \(RegularExpression.maximumByteCount) bytes" }
  }

  init(_ text: String, options: Filter.Options) throws {
    guard text.utf8.count <= RegularExpression.maximumByteCount else { throw TooLong() }
    // Case is left to the expression, because folding its text would turn `\S` into `\s`.
    let fold = TextFold(options.intersection(.diacriticInsensitive))
    var regex = try Regex(fold.apply(text)).matchingSemantics(.unicodeScalar)
    if options.contains(.caseInsensitive) { regex = regex.ignoresCase() }
    // Some of what cannot be used is only found when the expression is run.
    _ = try regex.wholeMatch(in: "")
    self.regex = regex
  }

  /// - Parameter text: The text, without its accents if the expression is to overlook them.
  func matches(_ text: String) throws -> Bool {
    try regex.wholeMatch(in: text) != nil
  }
}
