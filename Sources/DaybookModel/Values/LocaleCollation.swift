import Synchronization

/// The order of texts in one locale.
public protocol LocaleCollator: Sendable {
  /// The version of data and code: two versions may make different keys of one text.
  var version: String { get }

  /// Appends bytes that compare as texts do in the locale; texts that are equal there have the same bytes.
  func appendKey(of text: String, to key: inout [UInt8])

  /// Returns the letter under which a list of the locale has a text that begins with a letter, or `nil` for one that the
  /// locale does not use.
  func initial(of text: String) -> String?
}

/// The locales whose orders a process knows.
public enum LocaleCollation {
  private static let makers = Mutex<[@Sendable (String) -> (any LocaleCollator)?]>([])
  private static let collators = Mutex<[String: any LocaleCollator]>([:])

  /// Adds locales, for all stores of the process.
  ///
  /// - Parameter make: Returns the order of a locale by its identifier, or `nil` for one that it does not know. Of several
  ///   functions, the one that was registered first decides.
  public static func register(_ make: @escaping @Sendable (String) -> (any LocaleCollator)?) {
    makers.withLock { $0.append(make) }
  }

  /// The limit on the locales that are kept: a request may name any, and ICU's data of one can take a megabyte.
  private static let keptCount = 64

  /// Returns the order of a locale, or `nil` if no registered function knows it.
  static func collator(of identifier: String) -> (any LocaleCollator)? {
    // As identifiers of BCP 47 and ICU are; the versions are a text of such words.
    let isWord = identifier.utf8.allSatisfy {
      ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "_")
    }
    guard isWord, !identifier.isEmpty, identifier.utf8.count <= 100 else { return nil }
    if let known = collators.withLock({ $0[identifier] }) { return known }
    let makers = makers.withLock { $0 }
    for make in makers {
      guard let made = make(identifier) else { continue }
      collators.withLock { collators in
        if collators.count < keptCount { collators[identifier] = made }
      }
      return made
    }
    return nil
  }

  /// The versions of some locales' orders, in a text that is empty without locales.
  ///
  /// A locale that is not known has no version.
  package static func versions(of identifiers: some Sequence<String>) -> String {
    Set(identifiers).sorted().map { "\($0)=\(collator(of: $0)?.version ?? "")" }.joined(separator: " ")
  }

  /// Returns whether this process has the versions in a text of ``versions(of:)``.
  package static func isPresent(_ versions: String) -> Bool {
    if versions.isEmpty { return true }
    return self.versions(of: versions.split(separator: " ").map { String($0.prefix { $0 != "=" }) }) == versions
  }
}
