extension Event: CustomStringConvertible {
  /// The event in one line, for logs and for looking around: `renamed Recipe 26f8ad91: name “Cake” → “Pie”`.
  ///
  /// An object is shown by the last eight digits of its id. The form is not meant to be read by programs.
  public var description: String {
    let parts: [String] =
      switch content {
      case .inserted(let values, let links), .deleted(let values, let links):
        values.map(\.labelled) + links.map { "\($0.name) \($0.target?.shortForm ?? "none")" }
      case .renamed(let change): [change.text]
      case .set(let changes): changes.map(\.text)
      case .related(let link), .unrelated(let link):
        ["\(link.relationship) \(link.from?.shortForm ?? "none") → \(link.to?.shortForm ?? "none")"]
      case .recorded(let name, let fields): [name] + fields.map(\.labelled)
      case .unknown(let bytes): ["\(bytes.count) bytes of a later version"]
      }
    let subject = "\(kind.rawValue) \(entity) \(object.shortForm)"
    return parts.isEmpty ? subject : "\(subject): \(parts.joined(separator: ", "))"
  }
}

private extension Event.Change {
  var text: String { "\(name) \(old.quoted(as: type)) → \(new.quoted(as: type))" }
}

private extension NamedValue {
  var labelled: String { "\(name) \(value.quoted(as: type))" }
}

private extension Value {
  /// Returns the value's text, of which a long one has only its beginning.
  func quoted(as type: AttributeType) -> String {
    let text = text(as: type)
    if isNull { return "null" }
    let shown = text.count > 60 ? text.prefix(60) + "…" : text
    return type == .string ? "“\(shown)”" : shown
  }
}
