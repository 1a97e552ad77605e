#if Collation

internal import CICU
import Daybook

/// The order of one locale.
///
/// ICU's functions change nothing in a collator after it was opened, so threads may share it.
final class ICUCollator: LocaleCollator, @unchecked Sendable {
  let version: String
  private let collator: ICUCollatorRef
  /// The letters under which lists are divided.
  private let letters: IndexLetters

  /// - Returns: `nil` if ICU does not know the locale's language.
  init?(_ identifier: String) {
    // ICU takes what does not begin with a language for the root locale.
    let language = identifier.prefix { $0 != "-" && $0 != "_" }
    guard (2...8).contains(language.utf8.count), let collator = icu_collator_open(identifier) else { return nil }
    guard let letters = IndexLetters(identifier) else {
      icu_collator_close(collator)
      return nil
    }
    self.collator = collator
    self.letters = letters
    var bytes: [UInt8] = [0, 0, 0, 0]
    icu_collator_version(collator, &bytes)
    version = bytes.map { "\($0)" }.joined(separator: ".")
  }

  deinit { icu_collator_close(collator) }

  func appendKey(of text: String, to key: inout [UInt8]) {
    let units = Array(text.utf16)
    let start = key.count
    // Most keys of short texts have fewer bytes than this.
    var capacity = units.count * 3 + 16
    while true {
      key.append(contentsOf: repeatElement(0, count: capacity))
      let size = key.withUnsafeMutableBufferPointer { buffer in
        icu_sort_key(
          collator, units, Int32(units.count), buffer.baseAddress.map { $0 + start }, Int32(capacity))
      }
      // The last byte is 0, which occurs nowhere else.
      key.removeSubrange((start + min(Int(size), capacity))...)
      if size <= capacity { break }
      key.removeSubrange(start...)
      capacity = Int(size)
    }
    if key.count > start { key.removeLast() }
  }

  func initial(of text: String) -> String? { letters.initial(of: text) }
}

#endif
