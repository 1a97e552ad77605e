#if Server

/// The text of the query part of a URL: `name=value` pairs, percent-encoded, with `+` for a space, as browsers write forms.
enum FormText {
  /// Splits a query into its parameters.
  ///
  /// - Throws: `Problem` for an invalid percent escape, and for bytes that are no UTF-8.
  static func parameters(of query: String) throws -> [(name: String, value: String)] {
    try query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try decoded(parts[0], plusIsSpace: true)
      return (name, parts.count > 1 ? try decoded(parts[1], plusIsSpace: true) : "")
    }
  }

  /// Decodes percent escapes.
  ///
  /// - Throws: `Problem` for an invalid percent escape, and for bytes that are no UTF-8.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) throws -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          throw Problem(.badRequest, "“\(text)” has an invalid percent escape.", advice: "Write % as %25.")
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw Problem(.badRequest, "“\(text)” is no UTF-8 when its percent escapes are decoded.")
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

#endif
