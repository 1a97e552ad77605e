import Synchronization

/// The order of texts in one locale.
package protocol LocaleCollator: Sendable {
  /// The version of data and code: two versions may make different keys of one text.
  var version: String { get }

  /// Appends bytes that compare as texts do in the locale; texts that are equal there have the same bytes.
  func appendKey(of text: String, to key: inout [UInt8])

  /// Returns the letter under which a list of the locale has a text that begins with a letter, or `nil` for one that the
  /// locale does not use.
  func initial(of text: String) -> String?
}

/// A source of the orders of locales.
///
///     options.collation = LocaleCollation(named: "house") { $0 == "x-house" ? HouseOrder() : nil }
///
/// The library DaybookCollation has the source `icu`. A process knows each source that it has put into `StoreOptions`.
public struct LocaleCollation: Sendable {
  private let name: String
  private let make: @Sendable (String) -> (any LocaleCollator)?

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - name: The name of the source; of several with one name the first one decides.
  ///   - make: Returns the order of a locale by its identifier, or `nil` for one that the source does not know. Of several
  ///     sources, the one that came first decides.
  package init(named name: String, _ make: @escaping @Sendable (String) -> (any LocaleCollator)?) {
    (self.name, self.make) = (name, make)
  }

  /// Makes the source known to all stores of the process.
  package func makeKnown() {
    LocaleCollation.known.withLock { known in
      if !known.contains(where: { $0.name == name }) { known.append(self) }
    }
  }

  private static let known = Mutex<[LocaleCollation]>([])
  private static let collators = Mutex<[String: any LocaleCollator]>([:])

  /// The limit on the locales that are kept: a request may name any, and ICU's data of one can take a megabyte.
  private static let keptCount = 64

  /// Returns the order of a locale, or `nil` if no source knows it.
  static func collator(of identifier: String) -> (any LocaleCollator)? {
    // As identifiers of BCP 47 and ICU are; the versions are a text of such words.
    let isWord = identifier.utf8.allSatisfy {
      ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "_")
    }
    guard isWord, !identifier.isEmpty, identifier.utf8.count <= 100 else { return nil }
    if let collator = collators.withLock({ $0[identifier] }) { return collator }
    for source in known.withLock({ $0 }) {
      guard let made = source.make(identifier) else { continue }
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
