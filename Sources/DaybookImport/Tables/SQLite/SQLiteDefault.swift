#if Import

import DaybookModel

/// Reads the default of a column, if it is a literal.
enum SQLiteDefault {
  /// Returns the value of a literal, or `nil` for an expression and for a value of another type.
  static func value(of sql: String, type: AttributeType) -> Value? {
    let text = String(sql.drop { $0 == " " || $0 == "(" }.reversed().drop { $0 == " " || $0 == ")" }.reversed())
    if text.uppercased() == "NULL" { return nil }
    if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      let inner = text.dropFirst().dropLast().split(separator: "''", omittingEmptySubsequences: false)
      return read(inner.joined(separator: "'"), type: type)
    }
    guard let first = text.utf8.first,
      first == UInt8(ascii: "-") || first == UInt8(ascii: "+") || first == UInt8(ascii: ".")
        || (0x30...0x39).contains(first)
    else {
      return ["TRUE": true, "FALSE": false][text.uppercased()].flatMap { type == .boolean ? .boolean($0) : nil }
    }
    return read(text, type: type)
  }

  private static func read(_ text: String, type: AttributeType) -> Value? {
    if type == .boolean { return text == "1" ? true : text == "0" ? false : nil }
    if type == .data { return nil }
    return try? Value(text: text, type: type)  // An error is a default of another type.
  }
}

#endif
