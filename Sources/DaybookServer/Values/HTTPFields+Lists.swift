#if Server

import HTTPTypes

extension HTTPFields {
  /// Returns the elements of a field that is a list (RFC 9110, 5.6.1), without the spaces around them.
  ///
  /// Commas inside quotes separate too: no field that is read this way has values with commas.
  func elements(of name: HTTPField.Name) -> [String] {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return self[values: name].flatMap { $0.split(separator: ",") }.map { element in
      String(element.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
  }

  /// Returns whether the client has an answer already: whether `If-None-Match` names its tag, by the weak comparison
  /// (RFC 9110, 13.1.2).
  func matchTag(_ tag: String) -> Bool {
    elements(of: .ifNoneMatch).contains { $0 == "*" || $0 == tag || $0 == "W/\(tag)" }
  }

  /// Whether the client takes an answer that is compressed with gzip (RFC 9110, 12.5.3).
  var takesGzip: Bool {
    elements(of: .acceptEncoding).contains { part in
      let words = part.split(separator: ";").map { $0.filter { $0 != " " } }
      guard words.first == "gzip" else { return false }
      return !words.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
    }
  }
}

#endif
