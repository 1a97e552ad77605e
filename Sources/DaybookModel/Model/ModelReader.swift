/// Reads the declarations of a model from JSON, and collects all that is wrong with their form.
///
/// Whether the names lead anywhere is for ``ModelValidation``.
struct ModelReader {
  /// Whether the JSON is the stored form, with tags and what was retired.
  let isStored: Bool
  var faults: [ModelError.Fault] = []
  /// Whether parts of a later version were passed over.
  var hasLaterParts = false

  /// What the keys of such parts begin with; no key of this version does.
  static let laterPrefix = "x-"

  /// Where in the JSON, and in which entity and which of its fields as far as their names are known.
  struct Place {
    var path: String
    var name = ""

    func member(_ key: String) -> Place { Place(path: path.isEmpty ? key : "\(path).\(key)", name: name) }
    func element(_ index: Int) -> Place { Place(path: "\(path)[\(index)]", name: name) }
    func named(_ part: String?) -> Place {
      guard let part, !part.isEmpty else { return self }
      return Place(path: path, name: name.isEmpty ? part : "\(name).\(part)")
    }
    var text: String {
      let path = path.isEmpty ? "the model" : path
      return name.isEmpty ? path : "\(path) (\(name))"
    }
  }

  mutating func add(_ place: Place, _ message: String) {
    faults.append(ModelError.Fault(place.text, message))
  }

  /// Returns the members of an object, of which all keys must be known; nil, with a fault, for anything else.
  mutating func members(_ json: JSONValue, at place: Place, keys: [String]) -> JSONValue? {
    guard let members = json.members else {
      add(place, "is \(json.nounPhrase); an object is needed")
      return nil
    }
    for member in members where !keys.contains(member.key) {
      // Parts of a later version that this one may pass over have such keys.
      if isStored, member.key.hasPrefix(ModelReader.laterPrefix) {
        hasLaterParts = true
        continue
      }
      add(place.member(member.key), "is unknown; the keys here are \(keys.joined(separator: ", "))")
    }
    return json
  }

  /// Reads a member that is text; an absent one is nil.
  mutating func text(_ key: String, of json: JSONValue, at place: Place) -> String? {
    guard let value = json[key] else { return nil }
    guard let text = value.stringValue else {
      add(place.member(key), "is \(value.nounPhrase); a string is needed")
      return nil
    }
    return text
  }

  /// Reads a member that must be there and be text; empty, with a fault, if it is not.
  mutating func requiredText(_ key: String, of json: JSONValue, at place: Place) -> String {
    guard json[key] != nil else {
      add(place.member(key), "is missing; a string is needed")
      return ""
    }
    return text(key, of: json, at: place) ?? ""
  }

  /// Reads a member that is true or false; an absent one is false.
  mutating func flag(_ key: String, of json: JSONValue, at place: Place) -> Bool {
    guard let value = json[key] else { return false }
    guard let flag = value.booleanValue else {
      add(place.member(key), "is \(value.nounPhrase); true or false is needed")
      return false
    }
    return flag
  }

  /// Reads a member that is one of a few words; an absent one is nil.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of json: JSONValue, at place: Place, as type: Choice.Type = Choice.self
  ) -> Choice? {
    guard let text = text(key, of: json, at: place) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      add(place.member(key), "“\(text)” is unknown; use one of \(words)")
      return nil
    }
    return choice
  }

  /// Reads a member that is a list, and each of its elements; an absent one is empty.
  mutating func list<Element>(
    _ key: String, of json: JSONValue, at place: Place,
    _ read: (inout ModelReader, JSONValue, Place) -> Element?
  ) -> [Element] {
    guard let value = json[key] else { return [] }
    return list(value, at: place.member(key), read)
  }

  mutating func list<Element>(
    _ value: JSONValue, at place: Place, _ read: (inout ModelReader, JSONValue, Place) -> Element?
  ) -> [Element] {
    guard let elements = value.elements else {
      add(place, "is \(value.nounPhrase); a list is needed")
      return []
    }
    return elements.enumerated().compactMap { read(&self, $1, place.element($0)) }
  }

  /// Reads an element that is text.
  mutating func word(_ json: JSONValue, at place: Place) -> String? {
    if let text = json.stringValue { return text }
    add(place, "is \(json.nounPhrase); a string is needed")
    return nil
  }
}
