import HTTPTypes

extension HTTPFields {
  /// Returns the elements of a field that is a list (RFC 9110, 5.6.1), without the spaces around them.
  ///
  /// Commas inside quotes separate too: no field that is read this way has values with commas.
  func elements(of name: HTTPField.Name) -> [String] {
    self[values: name].flatMap { $0.split(separator: ",") }.map { element in
      String(element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
  }

  /// Returns whether the client has an answer already: whether `If-None-Match` names its tag, by the weak comparison
  /// (RFC 9110, 13.1.2).
  func matchTag(_ tag: String) -> Bool {
    elements(of: .ifNoneMatch).contains { $0 == "*" || $0 == tag || $0 == "W/\(tag)" }
  }
}
