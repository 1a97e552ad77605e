internal import CICU
import Foundation

/// The letters under which a locale's lists are divided: A to Z and Å, Ä, Ö in Swedish.
///
/// They are the index characters of the Unicode Common Locale Data Repository, each letter once: where the language
/// counts two characters as one letter, as A and Á in Hungarian, the plainer one names the section.
///
/// Nothing changes after `init`, and ICU changes nothing in an open collator, so threads may share it.
final class IndexLetters: @unchecked Sendable {
  private let collator: ICUCollatorRef
  /// In the order of the language; no two keys are equal.
  private let letters: [(key: [UInt8], letter: String)]
  private let scripts: Set<Int32>

  init?(_ locale: String) {
    guard let collator = icu_collator_open_primary(locale) else { return nil }
    self.collator = collator
    let texts = IndexLetters.texts(of: locale)
    letters = IndexLetters.distinct(texts, collator)
    scripts = Set(texts.compactMap { $0.unicodeScalars.first }.map { icu_script(Int32($0.value)) })
  }

  deinit { icu_collator_close(collator) }

  /// The letters, in the order of the language.
  var names: [String] { letters.map(\.letter) }

  /// Returns the letters that the language tells apart, with their keys in rising order.
  private static func distinct(_ texts: [String], _ collator: ICUCollatorRef) -> [(key: [UInt8], letter: String)] {
    var letters: [[UInt8]: String] = [:]
    for text in texts {
      let key = key(of: text, collator)
      // Characters that are no letter of their own together, such as LL where it is two L.
      if text.count > 1, key == self.key(of: text.map(String.init).joined(separator: joiner), collator) { continue }
      if let known = letters[key], !isPlainer(text, than: known) { continue }
      letters[key] = text
    }
    return letters.map { ($0.key, $0.value) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// The combining grapheme joiner, which keeps characters from being one letter.
  private static let joiner = "\u{34F}"

  /// Whether a letter is the better name of two that the language counts as one: the one with fewer marks.
  private static func isPlainer(_ text: String, than other: String) -> Bool {
    let (a, b) = (parts(of: text), parts(of: other))
    if a.count != b.count { return a.count < b.count }
    if a != b { return a.lexicographicallyPrecedes(b) }
    return text.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }

  private static func parts(of text: String) -> [Unicode.Scalar] {
    Array(text.decomposedStringWithCompatibilityMapping.unicodeScalars)
  }

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
