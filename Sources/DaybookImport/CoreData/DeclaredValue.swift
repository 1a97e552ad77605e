#if Import

import DaybookModel

/// Reads values as the text of Xcode's files declares them.
///
/// After a change of an attribute's type, its old default stays in the file; the compiler of models reads it as the new
/// type, and so does this.
enum DeclaredValue {
  /// Returns a default, or `nil` where the text is not a value of the type or such a default is never compiled.
  static func defaultValue(_ text: String, of type: SourceAttributeType) -> Value? {
    switch type {
    case .boolean: .boolean(isTrue(text))
    case .integer16, .integer32, .integer64: integer(text).map(Value.integer)
    case .string, .uri: .string(text)
    default: value(text, of: type)
    }
  }

  /// Returns a number, a UUID or a string, or `nil` where the text is not a value of the type.
  static func value(_ text: String, of type: SourceAttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: integer(text).map(Value.integer)
    case .double, .float: (try? Value(text: trimmed(text), type: .double))
    case .decimal: (try? Value(text: trimmed(text), type: .decimal))
    case .boolean: .boolean(isTrue(text))
    case .uuid: ObjectID(trimmed(text)).map(Value.uuid)
    case .string, .uri: .string(text)
    // A date has its seconds in an attribute of its own, and the rest has values in code only.
    case .date, .binary, .transformable, .objectID, .composite, .undefined: nil
    }
  }

  /// Returns a date that is declared by its seconds since 2001.
  static func date(_ seconds: String) -> Value? {
    guard let number = Double(trimmed(seconds)), number.isFinite else { return nil }
    return Timestamp(secondsSince2001: number).map(Value.date)
  }

  private static func isTrue(_ text: String) -> Bool { ["YES", "TRUE", "1"].contains(trimmed(text).uppercased()) }

  /// Reads a whole number; a fraction is cut off, and the words of a Boolean count.
  private static func integer(_ text: String) -> Int64? {
    let text = trimmed(text)
    if let number = Int64(text) { return number }
    if let number = Double(text) { return Int64(exactly: number.rounded(.towardZero)) }
    return text.uppercased() == "YES" ? 1 : 0
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

#endif
