import DaybookModel

/// A locale of tests, which sorts texts without case and by their last letters first.
package enum BackwardCollation {
  /// The order of the locale, which is made known when it is first asked for.
  package static let order: StringOrder = {
    LocaleCollation(named: identifier) { $0 == identifier ? Collator() : nil }.makeKnown()
    return .locale(identifier)
  }()

  /// The orders that tests draw from.
  package static let allOrders = StringOrder.ownOrders + [order]

  private static let identifier = "qa-backward"

  private struct Collator: LocaleCollator {
    var version: String { "1" }

    func appendKey(of text: String, to key: inout [UInt8]) { key += text.lowercased().utf8.reversed() }

    // A letter, as of each locale: no letter comes before “#”, which is the least of all initials.
    func initial(of text: String) -> String? { text.last.flatMap { $0.isLetter ? $0.uppercased() : nil } }
  }
}
