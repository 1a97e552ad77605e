/// An error for a refused value: the value, the expected type, and the values it allows.
public struct ValueError: Error, Hashable, Sendable {
  /// The value as text, shortened if it is long.
  public let value: String
  /// The expected type.
  public let type: AttributeType
  /// The values that the type allows.
  public let allowed: String

  package init(_ value: String, type: AttributeType, allowed: String? = nil) {
    let shown = value.prefix(ValueError.shownCharacters)
    self.value = shown.endIndex == value.endIndex ? value : shown + "…"
    self.type = type
    self.allowed = allowed ?? type.allowed
  }

  private static let shownCharacters = 80
}

extension ValueError: CustomStringConvertible {
  public var description: String { "“\(value)” is not \(type.nounPhrase): \(allowed)" }
}
