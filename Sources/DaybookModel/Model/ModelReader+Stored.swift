/// The stored form of a model: the declarations with their tags, and the retired parts.
extension ModelReader {
  mutating func storedModel(_ json: JSONValue) -> EncodedModel {
    let place = Place(path: "")
    var stored = EncodedModel(nextTag: 1)
    let keys = ["entities", "nextTag", "retiredEntities", EncodedModel.eventsKey, EncodedModel.retiredEventsKey]
    guard let json = members(json, at: place, keys: keys) else { return stored }
    stored.entities = list("entities", of: json, at: place) { $0.storedEntity($1, at: $2) }
    stored.retiredEntities = list("retiredEntities", of: json, at: place) { $0.retiredEntity($1, at: $2) }
    stored.events = list(EncodedModel.eventsKey, of: json, at: place) { $0.storedEvent($1, at: $2) }
    stored.retiredEvents = list(EncodedModel.retiredEventsKey, of: json, at: place) { $0.retiredEvent($1, at: $2) }
    if let next = json["nextTag"]?.integerValue.flatMap(UInt16.init(exactly:)), next > 0 {
      stored.nextTag = next
    } else {
      add(place.member("nextTag"), "is missing or no tag; a number from 1 to \(UInt16.max) is needed")
    }
    stored.hasLaterParts = hasLaterParts
    return stored
  }

  private mutating func storedEntity(_ json: JSONValue, at place: Place) -> EncodedEntity? {
    let tags = ["tag", "timelineTag", "uniqueTags", "indexTags", "retiredAttributes", "retiredRelationships"]
    let place = place.named(json["name"]?.stringValue)
    guard let json = members(json, at: place, keys: ModelReader.entityKeys(isStored: true) + tags) else { return nil }
    let name = requiredText("name", of: json, at: place)
    let nameAttribute = text("nameAttribute", of: json, at: place)
    let attributes = list("attributes", of: json, at: place) { $0.storedAttribute($1, at: $2) }
    let relationships = list("relationships", of: json, at: place) { $0.storedRelationship($1, at: $2) }
    let unique = list("unique", of: json, at: place) { $0.constraint($1, at: $2) }
    let indexes = list("indexes", of: json, at: place) { $0.index($1, at: $2) }
    let (tag, timelineTag) = (tag("tag", of: json, at: place), tag("timelineTag", of: json, at: place))
    let uniqueTags = list("uniqueTags", of: json, at: place) { $0.tag($1, at: $2) }
    let indexTags = list("indexTags", of: json, at: place) { $0.tag($1, at: $2) }
    if uniqueTags.count != unique.count || indexTags.count != indexes.count {
      add(place, "needs as many tags as it has constraints and indexes")
    }
    let groups = list(ModelReader.key("groups", isStored: true), of: json, at: place) { $0.storedGroups($1, at: $2) }
    return EncodedEntity(
      tag: tag, timelineTag: timelineTag, name: name, parent: text("parent", of: json, at: place),
      isAbstract: flag("abstract", of: json, at: place), nameAttribute: nameAttribute, attributes: attributes,
      relationships: relationships, unique: zip(unique, uniqueTags).map(EncodedConstraint.init),
      indexes: zip(indexes, indexTags).map(EncodedIndex.init), groups: groups,
      rules: conditions(ModelReader.key("rule", isStored: true), of: json, at: place),
      retired: retiredFields(of: json, at: place))
  }

  private mutating func storedGroups(_ json: JSONValue, at place: Place) -> EncodedGroups? {
    guard let declaration = groups(json, at: place, storedKeys: ["tag", "keysTag"]) else { return nil }
    return EncodedGroups(
      declaration: declaration, tag: tag("tag", of: json, at: place), keysTag: tag("keysTag", of: json, at: place))
  }

  mutating func storedAttribute(_ json: JSONValue, at place: Place) -> EncodedAttribute? {
    guard let declaration = attribute(json, at: place, storedKeys: ["tag", "valueWhenMissing"]) else { return nil }
    let place = place.named(json["name"]?.stringValue)
    return EncodedAttribute(
      declaration, tag: tag("tag", of: json, at: place),
      valueWhenMissing: value("valueWhenMissing", of: json, type: declaration.type, at: place))
  }

  private mutating func storedRelationship(_ json: JSONValue, at place: Place) -> EncodedRelationship? {
    guard let declaration = relationship(json, at: place, storedKeys: ["tag", "owner"]) else { return nil }
    let place = place.named(json["name"]?.stringValue)
    return EncodedRelationship(
      declaration, tag: tag("tag", of: json, at: place), isOwner: flag("owner", of: json, at: place))
  }

  private mutating func retiredEntity(_ json: JSONValue, at place: Place) -> RetiredEntity? {
    let keys = ["name", "tag", "parent", "retiredAttributes", "retiredRelationships"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    return RetiredEntity(
      tag: tag("tag", of: json, at: place), name: requiredText("name", of: json, at: place),
      parent: json["parent"] == nil ? nil : tag("parent", of: json, at: place),
      fields: retiredFields(of: json, at: place))
  }

  private mutating func retiredFields(of json: JSONValue, at place: Place) -> RetiredFields {
    RetiredFields(
      attributes: list("retiredAttributes", of: json, at: place) { $0.retiredAttribute($1, at: $2) },
      relationships: list("retiredRelationships", of: json, at: place) { $0.retiredRelationship($1, at: $2) })
  }

  mutating func retiredAttribute(_ json: JSONValue, at place: Place) -> RetiredAttribute? {
    let keys = ["name", "tag", "type", "optional", "default", "valueWhenMissing", "order", "derived"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    guard let type = choice("type", of: json, at: place, as: AttributeType.self) else {
      if json["type"] == nil { add(place.member("type"), "is missing") }
      return nil
    }
    return RetiredAttribute(
      tag: tag("tag", of: json, at: place), name: requiredText("name", of: json, at: place), type: type,
      isOptional: flag("optional", of: json, at: place),
      defaultValue: value("default", of: json, type: type, at: place),
      valueWhenMissing: value("valueWhenMissing", of: json, type: type, at: place),
      order: order("order", of: json, at: place),
      derivation: json["derived"].flatMap { retiredDerivation($0, at: place.member("derived")) })
  }

  private mutating func retiredDerivation(_ json: JSONValue, at place: Place) -> RetiredAttribute.Derivation? {
    guard let json = members(json, at: place, keys: ["kind", "relationship", "attribute"]) else { return nil }
    let kinds = ResolvedDerivation.Kind.allCases
    guard let kind = kinds.first(where: { $0.key == json["kind"]?.stringValue }),
      (kind == .count) == (json["attribute"] == nil)
    else {
      add(place, "has no kind, or no attribute; the kinds are \(kinds.map(\.key).joined(separator: ", "))")
      return nil
    }
    return RetiredAttribute.Derivation(
      kind: kind, relationship: tag("relationship", of: json, at: place),
      attribute: kind == .count ? nil : tag("attribute", of: json, at: place))
  }

  private mutating func retiredRelationship(_ json: JSONValue, at place: Place) -> RetiredRelationship? {
    let keys = ["name", "tag", "to", "inverse", "many", "optional", "ordered", "owner", "onDelete"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    return RetiredRelationship(
      tag: tag("tag", of: json, at: place), name: requiredText("name", of: json, at: place),
      target: tag("to", of: json, at: place), inverse: tag("inverse", of: json, at: place),
      isMany: flag("many", of: json, at: place), isOptional: flag("optional", of: json, at: place),
      isOrdered: flag("ordered", of: json, at: place), isOwner: flag("owner", of: json, at: place),
      deleteRule: choice("onDelete", of: json, at: place) ?? .nullify)
  }

  /// Reads a tag; returns zero and adds a fault if it is wrong.
  mutating func tag(_ key: String, of json: JSONValue, at place: Place) -> Tag {
    guard let value = json[key] else {
      add(place.member(key), "is missing; a tag is needed")
      return Tag(0)
    }
    return tag(value, at: place.member(key))
  }

  private mutating func tag(_ json: JSONValue, at place: Place) -> Tag {
    guard let number = json.integerValue.flatMap(UInt16.init(exactly:)), number > 0, number < .max else {
      add(place, "is not a tag; a number from 1 to \(UInt16.max - 1) is needed")
      return Tag(0)
    }
    return Tag(number)
  }
}
