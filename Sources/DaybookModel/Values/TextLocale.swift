import Synchronization

/// A language whose order texts have, with what else its collation knows: `sv`, `de-u-co-phonebk`.
///
/// Two are equal if their identifiers are. It is a class to find the collation once, and not for each text.
public final class _TextLocale: Sendable {
  /// The identifier in the form of BCP 47.
  package let identifier: String
  private let found = Mutex<(any LocaleCollator)?>(nil)

  init(_ identifier: String) {
    self.identifier = identifier
  }

  /// The order of the locale, or `nil` if none of the process's collations knows it.
  package var collator: (any LocaleCollator)? {
    found.withLock { found in
      if found == nil { found = LocaleCollation.collator(of: identifier) }
      return found
    }
  }
}

extension _TextLocale: Hashable {
  public static func == (a: _TextLocale, b: _TextLocale) -> Bool { a.identifier == b.identifier }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
