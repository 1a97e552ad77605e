extension ModelReader {
  /// The keys of an entity in a model file.
  static func entityKeys(isStored: Bool) -> [String] {
    [
      "name", "renamedFrom", "parent", "abstract", "nameAttribute", "attributes", "relationships", "unique", "indexes",
      key("groups", isStored: isStored), key("rule", isStored: isStored),
    ]
  }

  mutating func model(_ json: JSONValue) -> Model {
    let place = Place(path: "")
    guard let json = members(json, at: place, keys: ["entities", "events"]) else { return Model(entities: []) }
    return Model(
      entities: list("entities", of: json, at: place) { $0.entity($1, at: $2) },
      events: list("events", of: json, at: place) { $0.event($1, at: $2) })
  }

  private mutating func entity(_ json: JSONValue, at place: Place) -> Entity? {
    let place = place.named(json["name"]?.stringValue)
    guard let json = members(json, at: place, keys: ModelReader.entityKeys(isStored: isStored)) else { return nil }
    return Entity(
      name: requiredText("name", of: json, at: place), renamedFrom: text("renamedFrom", of: json, at: place),
      parent: text("parent", of: json, at: place), isAbstract: flag("abstract", of: json, at: place),
      nameAttribute: text("nameAttribute", of: json, at: place),
      attributes: list("attributes", of: json, at: place) { $0.attribute($1, at: $2) },
      relationships: list("relationships", of: json, at: place) { $0.relationship($1, at: $2) },
      unique: list("unique", of: json, at: place) { $0.constraint($1, at: $2) },
      indexes: list("indexes", of: json, at: place) { $0.index($1, at: $2) },
      groups: list("groups", of: json, at: place) { $0.groups($1, at: $2) },
      rules: conditions("rule", of: json, at: place))
  }

  mutating func constraint(_ json: JSONValue, at place: Place) -> [String]? {
    list(json, at: place) { $0.word($1, at: $2) }
  }

  mutating func index(_ json: JSONValue, at place: Place) -> Index? {
    Index(list(json, at: place) { $0.term($1, at: $2) })
  }

  mutating func groups(_ json: JSONValue, at place: Place, storedKeys: [String] = []) -> GroupDeclaration? {
    let place = place.named(json["name"]?.stringValue)
    guard let json = members(json, at: place, keys: ["name", "by", "show"] + storedKeys) else { return nil }
    let name = requiredText("name", of: json, at: place)
    let keys = list("by", of: json, at: place) { $0.word($1, at: $2) }
    guard json["show"] != nil else { return GroupDeclaration(name, by: keys) }
    return GroupDeclaration(name, by: keys, show: list("show", of: json, at: place) { $0.word($1, at: $2) })
  }

  mutating func attribute(_ json: JSONValue, at place: Place, storedKeys: [String] = []) -> Attribute? {
    let keys = ["name", "renamedFrom", "type", "optional", "default", "order", "derived"]
    let place = place.named(json["name"]?.stringValue)
    guard let json = members(json, at: place, keys: keys + ruleKeys + storedKeys) else { return nil }
    let type = choice("type", of: json, at: place, as: AttributeType.self)
    let attribute = Attribute(
      name: requiredText("name", of: json, at: place), renamedFrom: text("renamedFrom", of: json, at: place),
      type: type, isOptional: flag("optional", of: json, at: place),
      defaultValue: value("default", of: json, type: type, at: place),
      order: order("order", of: json, at: place),
      derivation: json["derived"].flatMap { derivation($0, at: place.member("derived")) },
      rules: rules(of: json, type: type, at: place))
    if json["derived"] == nil, json["type"] == nil {
      let types = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
      add(place.member("type"), "is missing; use one of \(types), or say “derived”")
    }
    return attribute
  }

  /// Reads a value of an attribute's type; an absent one is null.
  mutating func value(_ key: String, of json: JSONValue, type: AttributeType?, at place: Place) -> Value {
    guard let value = json[key] else { return .null }
    guard let type else {
      if json["derived"] != nil { add(place.member(key), "a derived attribute is never set; leave it out") }
      return .null
    }
    do throws(ValueError) {
      return try Value(json: value, type: type)
    } catch {
      add(place.member(key), error.description)
      return .null
    }
  }

  private mutating func derivation(_ json: JSONValue, at place: Place) -> Derivation? {
    let keys = ["count", "sum", "min", "max"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    guard let member = json.members?.first, json.members?.count == 1, keys.contains(member.key) else {
      add(place, "needs one key of \(keys.joined(separator: ", "))")
      return nil
    }
    let place = place.member(member.key)
    guard let text = word(member.value, at: place) else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    switch (member.key, parts.count) {
    case ("count", 1): return .count(relationship: text)
    case ("sum", 2): return .sum(relationship: parts[0], attribute: parts[1])
    case ("min", 2): return .minimum(relationship: parts[0], attribute: parts[1])
    case ("max", 2): return .maximum(relationship: parts[0], attribute: parts[1])
    default:
      let form =
        member.key == "count" ? "a relationship: “ingredients”" : "relationship.attribute: “ingredients.amount”"
      add(place, "“\(text)” is not the name of \(form)")
      return nil
    }
  }

  mutating func relationship(_ json: JSONValue, at place: Place, storedKeys: [String] = []) -> Relationship? {
    let (acyclic, least, most) = (
      ModelReader.key("acyclic", isStored: isStored), ModelReader.key("least", isStored: isStored),
      ModelReader.key("most", isStored: isStored)
    )
    let keys = [
      "name", "renamedFrom", "to", "inverse", "many", "optional", "ordered", "onDelete", acyclic, least, most,
    ]
    let place = place.named(json["name"]?.stringValue)
    guard let json = members(json, at: place, keys: keys + storedKeys) else { return nil }
    return Relationship(
      name: requiredText("name", of: json, at: place), renamedFrom: text("renamedFrom", of: json, at: place),
      target: requiredText("to", of: json, at: place), inverse: text("inverse", of: json, at: place) ?? "",
      isMany: flag("many", of: json, at: place), isOptional: flag("optional", of: json, at: place),
      isOrdered: flag("ordered", of: json, at: place), deleteRule: choice("onDelete", of: json, at: place) ?? .nullify,
      isAcyclic: flag(acyclic, of: json, at: place), least: number(least, of: json, at: place),
      most: number(most, of: json, at: place))
  }

  /// Reads `type.name` or `changedAt:desc`.
  private mutating func term(_ json: JSONValue, at place: Place) -> SortTerm? {
    guard let text = word(json, at: place) else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && parts[1] == "desc" else {
      add(place, "“\(text)” is not a term; write a path, and “:desc” behind it if it descends")
      return nil
    }
    return SortTerm(
      path: parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init),
      SortDirection(isDescending: parts.count == 2))
  }
}
