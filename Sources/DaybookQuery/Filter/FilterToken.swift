import DaybookModel

/// A token of a filter's text, with its place.
struct FilterToken {
  let kind: Kind
  let start: Int
  let end: Int

  enum Kind {
    /// Names joined by dots; a single one may be a keyword.
    case path(Filter.KeyPath)
    /// The name of a key or a value of groups in backquotes, which is no keyword.
    case column(String)
    case value(Value)
    /// A name behind `$`, which the caller gives a value.
    case variable(String)
    case symbol(Symbol)
    case end
  }

  enum Symbol: String, CaseIterable {
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
  }

  /// The lower-case word, or `nil` if the token is no single word; it identifies keywords.
  var word: String? {
    guard case .path(let path) = kind, path.names.count == 1, path.aggregate == nil else { return nil }
    return path.names[0].lowercased()
  }

  func isSymbol(_ wanted: Symbol) -> Bool {
    if case .symbol(let symbol) = kind { symbol == wanted } else { false }
  }
}
