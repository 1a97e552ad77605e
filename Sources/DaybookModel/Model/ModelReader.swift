/// Reads the declarations of a model from JSON, and collects all faults of their form.
///
/// ``ModelValidation`` checks whether the names refer to something.
struct ModelReader {
  /// Whether the JSON is the stored form, with tags and retired parts.
  let isStored: Bool
  var faults: [Fault] = []
  /// Whether parts of a later version were skipped.
  var hasLaterParts = false

  /// The prefix of the keys of parts that the first version of the format skips, and of parts of a later version.
  static let laterPrefix = "x-"

  /// A place in the JSON, with the names of the entity and its field if they are known.
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
    faults.append(Fault(place.text, message))
  }

  /// Returns an object whose keys are all known.
  ///
  /// Otherwise adds a fault, and `nil` for a non-object.
  mutating func members(_ json: JSONValue, at place: Place, keys: [String]) -> JSONValue? {
    guard let members = json.members else {
      add(place, "is \(json.nounPhrase); an object is needed")
      return nil
    }
    for member in members where !keys.contains(member.key) {
      // Such keys mark parts of a later version that this version may skip.
      if isStored, member.key.hasPrefix(ModelReader.laterPrefix) {
        hasLaterParts = true
        continue
      }
      add(place.member(member.key), "is unknown; the keys here are \(keys.joined(separator: ", "))")
    }
    return json
  }

  /// Reads a text member, or returns `nil` if it is absent.
  mutating func text(_ key: String, of json: JSONValue, at place: Place) -> String? {
    guard let value = json[key] else { return nil }
    guard let text = value.stringValue else {
      add(place.member(key), "is \(value.nounPhrase); a string is needed")
      return nil
    }
    return text
  }

  /// Reads a required text member.
  ///
  /// Returns empty text and adds a fault if it is missing or wrong.
  mutating func requiredText(_ key: String, of json: JSONValue, at place: Place) -> String {
    guard json[key] != nil else {
      add(place.member(key), "is missing; a string is needed")
      return ""
    }
    return text(key, of: json, at: place) ?? ""
  }

  /// Reads a Boolean member; an absent one is false.
  mutating func flag(_ key: String, of json: JSONValue, at place: Place) -> Bool {
    guard let value = json[key] else { return false }
    guard let flag = value.booleanValue else {
      add(place.member(key), "is \(value.nounPhrase); true or false is needed")
      return false
    }
    return flag
  }

  /// Reads a member with one of a few words, or returns `nil` if it is absent.
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

  /// Reads an order of strings; by code points if it is absent.
  mutating func order(_ key: String, of json: JSONValue, at place: Place) -> StringOrder {
    guard let text = text(key, of: json, at: place) else { return .codepoint }
    guard let order = StringOrder(rawValue: text) else {
      add(place.member(key), "“\(text)” is unknown; use one of \(StringOrder.words)")
      return .codepoint
    }
    return order
  }

  /// Reads a member that is a list, element by element; an absent one is empty.
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
