/// A part of a text to search for.
package struct TextPart: Sendable {
  private let pattern: BytePattern
  private let fold: TextFold

  /// - Parameter ignoresCase: Whether both texts are compared in the lower-case mappings of their Unicode scalars.
  package init(_ text: String, ignoresCase: Bool) {
    fold = TextFold(ignoresCase ? .caseInsensitive : [])
    pattern = BytePattern(fold.apply(text))
  }

  /// Returns whether a text contains the part, compared as UTF-8.
  ///
  /// - Throws: `WorkLimitExceeded`.
  /// - Complexity: O(*n*) for *n* bytes.
  package func isFound(in text: String) throws -> Bool { pattern.isFound(in: try fold.limited(text)) }
}
