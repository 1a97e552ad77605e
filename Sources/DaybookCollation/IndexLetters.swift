internal import CICU

/// The letters under which a locale's lists are divided: A to Z and Å, Ä, Ö in Swedish.
///
/// They are the index characters of the Unicode Common Locale Data Repository.
///
/// Nothing changes after `init`, and ICU changes nothing in an open collator, so threads may share it.
final class IndexLetters: @unchecked Sendable {
  private let collator: ICUCollatorRef
  private let letters: [(key: [UInt8], letter: String)]
  private let scripts: Set<Int32>

  init?(_ locale: String) {
    guard let collator = icu_collator_open_primary(locale) else { return nil }
    self.collator = collator
    let texts = IndexLetters.texts(of: locale)
    letters = texts.map { (IndexLetters.key(of: $0, collator), $0) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    scripts = Set(texts.compactMap { $0.unicodeScalars.first }.map { icu_script(Int32($0.value)) })
  }

  deinit { icu_collator_close(collator) }

  private static func texts(of locale: String) -> [String] {
    guard let set = icu_index_letters_open(locale) else { return [] }
    defer { icu_set_close(set) }
    var texts: [String] = []
    for item in 0..<icu_set_count(set) {
      var (first, last): (Int32, Int32) = (0, 0)
      var text = [UInt16](repeating: 0, count: 16)
      let length = icu_set_item(set, item, &first, &last, &text)
      if length > 0 { texts.append(String(decoding: text.prefix(Int(length)), as: UTF16.self)) }
      if length == 0, first <= last {
        texts += (first...last).compactMap { Unicode.Scalar(UInt32($0)).map { String(Character($0)) } }
      }
    }
    return texts
  }

  private static func key(of text: String, _ collator: ICUCollatorRef) -> [UInt8] {
    var key: [UInt8] = []
    SortKeyMaker.append(text, collator, to: &key)
    return key
  }

  /// Returns the last letter that a text does not precede, or `nil` for a text that begins with another script.
  func initial(of text: String) -> String? {
    guard let first = text.unicodeScalars.first, scripts.contains(icu_script(Int32(first.value))) else { return nil }
    let key = IndexLetters.key(of: text, collator)
    let following = letters.firstIndex { key.lexicographicallyPrecedes($0.key) } ?? letters.count
    return following > 0 ? letters[following - 1].letter : nil
  }
}
