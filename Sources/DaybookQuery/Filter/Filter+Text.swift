import DaybookModel

extension Filter: CustomStringConvertible {
  /// The canonical text, which parses to an equal filter.
  ///
  /// It has upper-case words, one blank between them, and only the parentheses that are needed.
  public var description: String {
    var text = ""
    node.write(to: &text)
    return text
  }
}

extension Filter.Node {
  func write(to text: inout String) {
    switch self {
    case .constant(let isMet): text += isMet ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let inner):
      text += "NOT "
      inner.writeGrouped(inside: self, to: &text)
    case .all(let parts): write(parts, joinedBy: " AND ", to: &text)
    case .any(let parts): write(parts, joinedBy: " OR ", to: &text)
    case .comparison(let comparison): comparison.write(to: &text)
    }
  }

  private func write(_ parts: [Filter.Node], joinedBy word: String, to text: inout String) {
    for (index, part) in parts.enumerated() {
      if index > 0 { text += word }
      part.writeGrouped(inside: self, to: &text)
    }
  }

  private func writeGrouped(inside outer: Filter.Node, to text: inout String) {
    let needsParentheses =
      switch (outer, self) {
      case (.not, .all), (.not, .any), (.all, .any): true
      default: false
      }
    if needsParentheses { text += "(" }
    write(to: &text)
    if needsParentheses { text += ")" }
  }
}

extension Filter.Comparison: CustomStringConvertible {
  func write(to text: inout String) {
    if let quantifier { text += quantifier.rawValue + " " }
    left.write(to: &text)
    text += " " + operation.rawValue + options.description + " "
    right.write(to: &text)
  }

  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }
}

extension Filter.Options: CustomStringConvertible {
  /// The form after an operator: `[c]`, `[d]`, `[cd]`, or empty.
  public var description: String {
    let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension Filter.Operand: CustomStringConvertible {
  func write(to text: inout String) {
    switch form {
    case .path(let path): text += path.words.joined(separator: ".")
    case .value(let value): value.writeLiteral(to: &text)
    case .values(let values):
      text += "{"
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        value.write(to: &text)
      }
      text += "}"
    }
  }

  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }
}

extension Value {
  /// Writes the value in the form of a filter's text.
  package func writeLiteral(to text: inout String) {
    switch asLiteral {
    case .null: text += "nil"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .decimal(let number): text += NumberText.text(of: number)
    case .double: text += self.asLiteral.text
    case .date(let time): text += time.description
    case .string(let string): Value.writeQuoted(string, to: &text)
    case .uuid, .data: preconditionFailure("a literal has no such form")
    }
  }

  private static func writeQuoted(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
