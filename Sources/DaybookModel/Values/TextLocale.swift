import Synchronization

/// A language whose order texts have, with what else its collation knows: `sv`, `de-u-co-phonebk`.
///
/// Two are equal if their identifiers are.
public final class TextLocale: Sendable, ExpressibleByStringLiteral {
  /// The identifier in the form of BCP 47.
  public let identifier: String
  private let found = Mutex<(any LocaleCollator)?>(nil)

  /// Makes the locale of an identifier; a model with one that no collation knows is refused.
  public init(_ identifier: String) {
    self.identifier = identifier
  }

  public convenience init(stringLiteral identifier: String) { self.init(identifier) }

  /// The order of the locale, or `nil` if none of the process's collations knows it.
  package var collator: (any LocaleCollator)? {
    found.withLock { found in
      if found == nil { found = LocaleCollation.collator(of: identifier) }
      return found
    }
  }
}

extension TextLocale: Hashable {
  public static func == (a: TextLocale, b: TextLocale) -> Bool { a.identifier == b.identifier }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
