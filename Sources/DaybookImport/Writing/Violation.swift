#if Import

/// The rows of a source that break one rule of the model.
struct Violation: Hashable {
  enum Kind: Hashable {
    /// A required attribute or to-one relationship without a value.
    case required
    /// A limit or a pattern.
    case rule(String)
  }

  let field: SourceField
  let kind: Kind
  var count: Int
  /// The name of the first row.
  let first: String?
}

extension Violation: CustomStringConvertible {
  var description: String {
    let rule =
      switch kind {
      case .required: "is required"
      case .rule(let text): "has the rule \(text)"
      }
    let rows = count == 1 ? "1 row breaks it" : "\(count) rows break it"
    return "\(field) \(rule), and \(rows)" + (first.map { ", first \($0)" } ?? "")
  }
}

#endif
