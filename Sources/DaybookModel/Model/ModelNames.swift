/// What entities, attributes and relationships may be called.
///
/// A name is a word of the filter language and of the command line, so that `type.name == "Cake"` and `servings=4` need
/// no quoting: letters, digits and underscores, the first not a digit.
package enum ModelNames {
  /// The most bytes that a name may have in UTF-8.
  package static let maximumByteCount = 255

  /// The fields that every object has.
  package static let builtIn = ["id", "createdAt", "changedAt"]

  /// The words of the filter language; a field of such a name could not be told from them. Compared in any case.
  package static let keywords: Set<String> = [
    "and", "or", "not", "in", "any", "all", "none", "some", "between", "like", "matches", "contains", "beginswith",
    "endswith", "true", "false", "nil", "null", "truepredicate", "falsepredicate", "infinity",
  ]

  /// Whether a name may begin with this character.
  package static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: !scalar.isASCII && scalar.properties.isAlphabetic
    }
  }

  /// Whether a name may go on with this character.
  package static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || isStart(scalar)
  }

  /// Why the text cannot name anything, or nil.
  static func complaint(about name: String) -> String? {
    guard let first = name.unicodeScalars.first else { return "has no name; give it one" }
    guard name.utf8.count <= maximumByteCount else {
      return "has a name of \(name.utf8.count) bytes; \(maximumByteCount) are allowed"
    }
    guard isStart(first), name.unicodeScalars.allSatisfy(isPart) else {
      return "“\(name)” is not a name; use letters, digits and underscores, and begin with no digit"
    }
    return nil
  }

  /// Why the text cannot name an attribute or a relationship, or nil.
  static func complaint(aboutField name: String) -> String? {
    if let complaint = complaint(about: name) { return complaint }
    if builtIn.contains(name) { return "“\(name)” is built in; every object has it already, so choose another name" }
    if keywords.contains(name.lowercased()) {
      return "“\(name)” is a word of the filter language; choose another name"
    }
    return nil
  }
}
