#if Import

/// The dialect of a CSV file.
package struct CSVFormat: Hashable, Sendable {
  /// The byte between cells.
  package let delimiter: UInt8
  /// The encoding, or `nil` for the encoding of the byte order mark, and UTF-8 without a mark.
  package var encoding: TextEncoding?

  /// Cells between commas.
  package static let commas = CSVFormat()
  /// Cells between tabs.
  package static let tabs = CSVFormat(delimiterByte: UInt8(ascii: "\t"), encoding: nil)

  private init(delimiterByte: UInt8, encoding: TextEncoding?) {
    delimiter = delimiterByte
    self.encoding = encoding
  }

  /// Creates the dialect of RFC 4180: cells between commas.
  package init(encoding: TextEncoding? = nil) {
    self.init(delimiterByte: UInt8(ascii: ","), encoding: encoding)
  }

  /// Creates a dialect with another delimiter.
  ///
  /// - Parameter delimiter: One ASCII character, or the word `tab`.
  /// - Throws: `ImportError` of the kind `badOption` for a letter or digit, a quote, the end of a line, or any other text.
  package init(delimiter: String, encoding: TextEncoding? = nil) throws(ImportError) {
    let text = delimiter == "tab" || delimiter == "\\t" ? "\t" : delimiter
    guard text.utf8.count == 1, let byte = text.utf8.first, CSVFormat.isDelimiter(byte) else {
      throw ImportError(
        .usage, "“\(delimiter)” is not a delimiter",
        advice: "choose one ASCII character that is not a letter, a digit or a quote, such as “;”, or the word tab")
    }
    self.init(delimiterByte: byte, encoding: encoding)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\t"), 0x1c...0x1f: true
    case 0..<0x20, 0x7f..., UInt8(ascii: "\""): false
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      false
    default: true
    }
  }

  /// Returns the usual dialect of a file's name: tabs for `.tsv` and `.tab`, and otherwise commas.
  package static func usual(for path: String) -> CSVFormat {
    let path = path.lowercased()
    return path.hasSuffix(".tsv") || path.hasSuffix(".tab") ? .tabs : .commas
  }
}

#endif
