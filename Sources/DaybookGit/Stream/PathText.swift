/// Encodes names of arbitrary bytes as strings, and decodes them without loss.
///
///     let name = PathText.encode([0x63, 0xE9])          // "c\u{10FFE9}": 0xE9 begins nothing that is UTF-8
///     PathText.decode(name)                             // [0x63, 0xE9]
///
/// A git path is bytes, a store's attribute is a string. UTF-8 stays unchanged. Each byte *b* that is part of no
/// well-formed sequence becomes the scalar U+10FF00 + *b*; as such a byte is 0x80 or more, this is one of U+10FF80 to
/// U+10FFFF, at the end of a private use plane. A path that contains one of these scalars has its four bytes encoded in
/// the same way, so that the result of `encode` can be decoded in one way only: `decode(encode(bytes))` equals `bytes`
/// for all bytes. No text is normalised.
package enum PathText {
  /// Returns the string for the bytes.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let bytes = ArraySlice(bytes)
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count + 8)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let length = sequenceLength(in: bytes, at: index)
      if length == 0 || isEscape(in: bytes, at: index, length: length) {
        appendEscape(of: bytes[index], to: &utf8)
        index += 1
      } else {
        utf8.append(contentsOf: bytes[index..<index + length])
        index += length
      }
    }
    return String(decoding: utf8, as: UTF8.self)
  }

  /// Returns the bytes for the string.
  ///
  /// A string that `encode` never returns can be decoded too: its escapes become the bytes that they name.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package static func decode(_ text: String) -> [UInt8] {
    let utf8 = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var index = utf8.startIndex
    while index < utf8.endIndex {
      // The string is well formed, so three more bytes follow a byte 0xF4.
      if isEscape(in: utf8, at: index, length: utf8[index] == 0xF4 ? 4 : 1) {
        bytes.append(utf8[index + 2] << 6 | utf8[index + 3] & 0x3F)
        index += 4
      } else {
        bytes.append(utf8[index])
        index += 1
      }
    }
    return bytes
  }

  /// Returns whether a well-formed sequence is an escape, from F4 8F BE 80 to F4 8F BF BF.
  private static func isEscape(in bytes: ArraySlice<UInt8>, at index: Int, length: Int) -> Bool {
    guard length == 4, bytes[index] == 0xF4, bytes[index + 1] == 0x8F else { return false }
    return bytes[index + 2] >= 0xBE
  }

  /// Appends the UTF-8 of U+10FF00 + byte.
  ///
  /// The third byte is 0x80 + (0xF00 + byte) / 64 mod 64, the last 0x80 + byte mod 64.
  private static func appendEscape(of byte: UInt8, to utf8: inout [UInt8]) {
    precondition(byte >= 0x80, "an ASCII byte is always well-formed UTF-8")
    utf8 += [0xF4, 0x8F, 0xBC | byte >> 6, 0x80 | byte & 0x3F]
  }

  /// Returns the length of the UTF-8 sequence at an index, or 0 if it is not well formed.
  ///
  /// The rules are in Unicode's table 3-7.
  private static func sequenceLength(in bytes: ArraySlice<UInt8>, at index: Int) -> Int {
    let lead = bytes[index]
    if lead < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard bytes.endIndex - index >= length, second.contains(bytes[index + 1]) else { return 0 }
    return bytes[(index + 2)..<(index + length)].allSatisfy { $0 & 0xC0 == 0x80 } ? length : 0
  }
}

/// One name of a path, compared and hashed by its bytes.
struct PathName: Hashable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Hashes eight bytes at a time, because hashing a word costs the same as hashing a byte.
  func hash(into hasher: inout Hasher) {
    var word: UInt64 = 0
    var count = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      count += 1
      if count % 8 == 0 { hasher.combine(word) }
    }
    // The last word may repeat bytes of the previous one, which has no effect on equality.
    hasher.combine(word)
    hasher.combine(count)
  }

  /// Orders names as git orders paths: by their bytes.
  static func < (first: PathName, second: PathName) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }
}
