/// A section's name as a key: equal if the UTF-8 bytes are equal.
///
/// Swift's `==` treats canonically equivalent strings as equal, so with plain strings "é" in one and in two code points
/// would be one section here and two in the store.
struct SectionName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: SectionName, b: SectionName) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // A byte that UTF-8 never contains ends the name, so that the hash separates it from the data after it.
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8.max)
  }
}
