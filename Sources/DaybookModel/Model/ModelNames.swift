/// The rules for the names of entities, attributes and relationships.
///
/// A name consists of letters, digits and underscores and does not begin with a digit. So it is a word of the filter
/// language and of the command line, and `type.name == "Cake"` and `servings=4` need no quoting.
package enum ModelNames {
  /// The limit on a name's bytes in UTF-8.
  package static let maximumByteCount = 255

  /// The beginning of the names of entities that Daybook itself declares, of which no model has any.
  package static let ownPrefix = "@"

  /// The fields that every object has.
  package static let builtIn = ["id", "createdAt", "changedAt"]

  /// The word that always is the name of an object's entity; `entity` is it where the entity has no field of that name.
  package static let entityWord = "@entity"

  /// Returns whether a word of a path may be the name of an object's entity.
  package static func isEntity(_ word: String) -> Bool { word == entityWord || word == "entity" }

  /// The words of the filter language, which cannot name fields. They are compared in any case.
  package static let keywords: Set<String> = [
    "and", "or", "not", "in", "any", "all", "none", "some", "between", "like", "matches", "contains", "beginswith",
    "endswith", "true", "false", "nil", "null", "truepredicate", "falsepredicate", "infinity",
  ]

  /// Returns whether a name may begin with a character.
  package static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: !scalar.isASCII && scalar.properties.isAlphabetic
    }
  }

  /// Returns whether a name may contain a character after the first.
  package static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || isStart(scalar)
  }

  /// Returns the reason why the text cannot be a name, or `nil` if it can.
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

  /// Returns the reason why the text cannot name an entity, or `nil` if it can.
  ///
  /// - Parameter allowsOwn: Whether it may be the name of an entity of Daybook's own.
  static func complaint(aboutEntity name: String, allowingOwn allowsOwn: Bool) -> String? {
    guard name.hasPrefix(ownPrefix) else { return complaint(about: name) }
    return allowsOwn ? complaint(about: String(name.dropFirst(ownPrefix.count))) : ownComplaint(about: name)
  }

  /// Returns the reason why only Daybook can declare an entity with a name.
  package static func ownComplaint(about name: String) -> String {
    "“\(name)” begins with \(ownPrefix), as only Daybook's own entities do; choose another name"
  }

  /// Returns the reason why the text cannot name a field, or `nil` if it can.
  static func complaint(aboutField name: String) -> String? {
    if let complaint = complaint(about: name) { return complaint }
    if builtIn.contains(name) { return "“\(name)” is built in; every object has it already, so choose another name" }
    return complaint(aboutWord: name)
  }

  /// Returns the reason why the text cannot be a word of a filter, or `nil` if it can.
  static func complaint(aboutWord name: String) -> String? {
    if let complaint = complaint(about: name) { return complaint }
    if keywords.contains(name.lowercased()) {
      return "“\(name)” is a word of the filter language; choose another name"
    }
    return nil
  }
}
