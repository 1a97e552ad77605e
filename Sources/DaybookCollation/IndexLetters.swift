#if Collation

internal import CICU

/// The letters under which a locale's lists are divided: A to Z and Å, Ä, Ö in Swedish.
///
/// They are the index characters of the Unicode Common Locale Data Repository as ICU's class `AlphabeticIndex` takes them:
/// each letter once, in the order of the language.
///
/// Nothing changes after `init`, and ICU changes nothing in an immutable index, so threads may share it.
final class IndexLetters: @unchecked Sendable {
  private let letters: ICULettersRef
  /// By ICU's numbers; `nil` where texts of other scripts are.
  private let labels: [String?]

  init?(_ locale: String) {
    guard let letters = icu_letters_open(locale) else { return nil }
    self.letters = letters
    labels = (0..<icu_letters_count(letters)).map { number in
      var name = [UInt16](repeating: 0, count: 32)
      let length = icu_letters_name(letters, number, &name, Int32(name.count))
      return length > 0 ? String(decoding: name.prefix(Int(length)), as: UTF16.self) : nil
    }
  }

  deinit { icu_letters_close(letters) }

  /// The letters, in the order of the language.
  var names: [String] { labels.compactMap { $0 } }

  /// Returns the last letter that a text does not precede, or `nil` for a text that begins with another script.
  func initial(of text: String) -> String? {
    let units = Array(text.utf16)
    let number = icu_letters_find(letters, units, Int32(units.count))
    return number < 0 ? nil : labels[Int(number)]
  }
}

#endif
