/// How the values of a string attribute are ordered.
///
/// Daybook computes all orders itself, never the platform, so keys on disk mean the same everywhere.
public enum StringOrder: String, Hashable, Sendable, CaseIterable {
  /// By UTF-8 bytes, which is the order of code points.
  case codepoint
  /// By the lower-case mappings of the code points; ties by bytes.
  case caseInsensitive
  /// Runs of ASCII digits by their number (file9 before file10), all other text by bytes.
  ///
  /// Ties by bytes.
  case natural
}
