/// A name with the text of its value, as in `servings=4`.
public struct Assignment: Hashable, Sendable {
  public let name: String
  public let text: String

  /// Reads an assignment; returns `nil` for a text without `=`, or with nothing before it.
  public init?(_ text: String) {
    guard let separator = text.firstIndex(of: "="), separator > text.startIndex else { return nil }
    name = String(text[..<separator])
    self.text = String(text[text.index(after: separator)...])
  }
}
