/// The sort keys of strings in attributes with a ``StringOrder``.
///
/// A key is computed here and compared as bytes, because the comparators of the platforms differ, and a view on disk
/// must mean the same on all of them. Ties are broken by the strings' own bytes.
package enum Collation {
  /// The version of the keys.
  ///
  /// A change of the bytes that ``appendKey(of:order:to:)`` writes must raise it: projections with another version are
  /// rebuilt.
  ///
  /// The mappings of assigned characters to lower case do not change between versions of Unicode (its stability policy
  /// for case folding), so a newer standard library does not need a new version.
  package static let version: UInt64 = 1

  /// Appends the bytes that sort before the text's own bytes.
  ///
  /// None for the order of code points.
  package static func appendKey(of text: String, order: StringOrder, to key: inout [UInt8]) {
    switch order {
    case .codepoint: break
    case .caseInsensitive: appendLowercase(text, to: &key)
    case .natural: appendNatural(text, to: &key)
    // A model whose locale has no collator is refused, so there is one.
    case ._locale(let locale): locale.collator?.appendKey(of: text, to: &key)
    }
  }

  private static func appendLowercase(_ text: String, to key: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        let unit = UInt8(truncatingIfNeeded: scalar.value)
        let isUpper = unit &- UInt8(ascii: "A") < 26
        key.append(isUpper ? unit | 0x20 : unit)
      } else {
        key.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
      }
    }
  }

  /// Appends a key in natural order.
  ///
  /// A run of digits becomes the digit zero, the length of the number and its digits without leading zeros. So it keeps
  /// the place of digits among other characters, and a longer number follows a shorter one.
  private static func appendNatural(_ text: String, to key: inout [UInt8]) {
    let units = Array(text.utf8)
    var index = 0
    while index < units.count {
      guard isDigit(units[index]) else {
        key.append(units[index])
        index += 1
        continue
      }
      let runEnd = units[index...].firstIndex { !isDigit($0) } ?? units.count
      let start = units[index..<runEnd].firstIndex { $0 != UInt8(ascii: "0") } ?? runEnd
      key.append(UInt8(ascii: "0"))
      var length = runEnd - start
      while length >= 255 {
        key.append(255)
        length -= 255
      }
      key.append(UInt8(length))
      key.append(contentsOf: units[start..<runEnd])
      index = runEnd
    }
  }

  private static func isDigit(_ unit: UInt8) -> Bool {
    unit &- UInt8(ascii: "0") < 10
  }
}
