/// The rules of a model.
///
/// An older version does not know the keys of rules; a prefix in the stored form lets it read the model nevertheless.
extension ModelReader {
  static func key(_ key: String, isStored: Bool) -> String { isStored ? laterPrefix + key : key }

  /// The keys of the rules of an attribute.
  var ruleKeys: [String] { AttributeRule.keys.map { ModelReader.key($0, isStored: isStored) } }

  mutating func rules(of json: JSONValue, type: AttributeType?, at place: Place) -> [AttributeRule] {
    var rules: [AttributeRule] = []
    for word in AttributeRule.keys {
      let key = ModelReader.key(word, isStored: isStored)
      guard let value = json[key] else { continue }
      guard let type else {
        if json["derived"] != nil {
          add(place.member(key), "a derived attribute has no rules; write a “rule” of the entity about it")
        }
        continue
      }
      if let rule = rule(word, value, type: type, at: place.member(key)) { rules.append(rule) }
    }
    return rules
  }

  private mutating func rule(_ word: String, _ json: JSONValue, type: AttributeType, at place: Place) -> AttributeRule?
  {
    switch word {
    case "minimum": return value(json, type: type, at: place).map { .minimum($0) }
    case "maximum": return value(json, type: type, at: place).map { .maximum($0) }
    case "minimumLength": return number(json, at: place).map { .minimumLength($0) }
    case "maximumLength": return number(json, at: place).map { .maximumLength($0) }
    case "pattern": return self.word(json, at: place).map { .pattern($0) }
    default: return .oneOf(list(json, at: place) { $0.value($1, type: type, at: $2) })
    }
  }

  private mutating func value(_ json: JSONValue, type: AttributeType, at place: Place) -> Value? {
    do throws(ValueError) {
      return try Value(json: json, type: type)
    } catch {
      add(place, error.description)
      return nil
    }
  }

  /// Reads a whole number, or returns `nil` if the member is absent.
  mutating func number(_ key: String, of json: JSONValue, at place: Place) -> Int? {
    json[key].flatMap { number($0, at: place.member(key)) }
  }

  private mutating func number(_ json: JSONValue, at place: Place) -> Int? {
    if let number = json.integerValue.flatMap(Int.init(exactly:)) { return number }
    add(place, "is \(json.nounPhrase); a whole number is needed")
    return nil
  }

  /// Reads the rules of an entity: one filter, or a list of them.
  mutating func conditions(_ key: String, of json: JSONValue, at place: Place) -> [String] {
    guard let value = json[key] else { return [] }
    let place = place.member(key)
    if value.elements != nil { return list(value, at: place) { $0.word($1, at: $2) } }
    return word(value, at: place).map { [$0] } ?? []
  }
}
