/// How the values of a string attribute are ordered.
///
/// Daybook computes all orders itself except a locale's, so their keys on disk mean the same everywhere.
public enum StringOrder: Hashable, Sendable {
  /// By UTF-8 bytes, which is the order of code points.
  case codepoint
  /// By the lower-case mappings of the code points; ties by bytes.
  case caseInsensitive
  /// Runs of ASCII digits by their number (file9 before file10), all other text by bytes.
  ///
  /// Ties by bytes.
  case natural
  /// The order that ``locale(_:)`` makes.
  case _locale(_TextLocale)

  /// As people sort in a language: without case, and numbers in a text by their values.
  ///
  ///     @Attribute(order: .locale("sv")) var name: String      // A … Z, Å, Ä, Ö
  ///
  /// Ties by bytes. A program that reads or writes a store with such an order registers a collation before
  /// (`LocaleCollation.icu` of the library DaybookCollation). The version of its data is stored with the indexes, which are
  /// built again when it differs.
  ///
  /// - Parameter identifier: The language in the form of BCP 47, with what else its collation knows: `sv`,
  ///   `de-u-co-phonebk`. A model with one that no collation knows is refused.
  public static func locale(_ identifier: String) -> StringOrder { ._locale(_TextLocale(identifier)) }
}

extension StringOrder: RawRepresentable {
  /// Reads the form of a model file: `codepoint`, `caseInsensitive`, `natural`, `locale:sv`.
  public init?(rawValue: String) {
    switch rawValue {
    case "codepoint": self = .codepoint
    case "caseInsensitive": self = .caseInsensitive
    case "natural": self = .natural
    default:
      guard rawValue.hasPrefix(StringOrder.localePrefix), rawValue.utf8.count > StringOrder.localePrefix.utf8.count
      else { return nil }
      self = .locale(String(rawValue.dropFirst(StringOrder.localePrefix.count)))
    }
  }

  /// The form of a model file.
  public var rawValue: String {
    switch self {
    case .codepoint: "codepoint"
    case .caseInsensitive: "caseInsensitive"
    case .natural: "natural"
    case ._locale(let locale): StringOrder.localePrefix + locale.identifier
    }
  }

  /// The orders that need no locale's data.
  package static let ownOrders: [StringOrder] = [.codepoint, .caseInsensitive, .natural]

  private static let localePrefix = "locale:"

  /// The words of a model file, for messages.
  static let words = "codepoint, caseInsensitive, natural, locale: and a language, such as locale:sv"

  /// The locale, if it is an order of one.
  package var locale: _TextLocale? {
    if case ._locale(let locale) = self { locale } else { nil }
  }
}
