#if Import

/// A derivation of Core Data that Daybook has too: `chapters.@count`, `lines.@sum.amount`, `sum:(lines.amount)`.
struct DerivationText: Hashable {
  let function: String
  let relationship: String
  /// The attribute of the target; `nil` for a count.
  let attribute: String?

  /// Reads an expression, or returns `nil` for one that has no counterpart: an average, a key path, a function of text or time.
  init?(_ text: String) {
    guard let (name, path) = DerivationText.call(text) ?? DerivationText.keyPath(text) else { return nil }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.contains("@") }) else { return nil }
    switch (name, parts.count) {
    case ("count", 1): self.init(function: name, relationship: parts[0], attribute: nil)
    case ("sum", 2), ("min", 2), ("max", 2): self.init(function: name, relationship: parts[0], attribute: parts[1])
    default: return nil
    }
  }

  private init(function: String, relationship: String, attribute: String?) {
    self.function = function
    self.relationship = relationship
    self.attribute = attribute
  }

  /// Returns the name and the path of `sum:(lines.amount)`.
  private static func call(_ text: String) -> (name: String, path: String)? {
    guard text.hasSuffix(")"), let start = text.firstRange(of: ":(") else { return nil }
    return (String(text[..<start.lowerBound]), String(text[start.upperBound...].dropLast()))
  }

  /// Returns the name and the path of `lines.@sum.amount` or `lines.amount.@sum`.
  private static func keyPath(_ text: String) -> (name: String, path: String)? {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(where: { $0.hasPrefix("@") }) else { return nil }
    let name = String(parts.remove(at: place).dropFirst())
    return (name, parts.joined(separator: "."))
  }
}

#endif
