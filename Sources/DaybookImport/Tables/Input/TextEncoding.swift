#if Import

/// The encodings of imported texts.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
  case utf8 = "utf-8"
  /// UTF-16 whose byte order the byte order mark states.
  case utf16 = "utf-16"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  /// ISO 8859-1: each byte is the code point of the same number.
  case latin1 = "latin1"
  /// The single bytes of Windows in Western Europe, which differ from ISO 8859-1 in 0x80 to 0x9F.
  case windows1252 = "windows-1252"

  /// Reads the name of an encoding in any case, with or without hyphens and underscores.
  ///
  /// - Throws: `ImportError` of the kind `badOption` with the names.
  package init(named name: String) throws(ImportError) {
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    let others: [String: TextEncoding] = [
      "iso88591": .latin1, "latin1": .latin1, "cp1252": .windows1252, "ascii": .utf8, "utf8sig": .utf8,
    ]
    let known = TextEncoding.allCases.first { $0.rawValue.filter { $0 != "-" } == plain } ?? others[plain]
    guard let known else {
      let names = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
      throw ImportError(
        .usage, "“\(name)” is not an encoding that can be read", advice: "choose one of \(names)")
    }
    self = known
  }
}

#endif
