extension ModelReader {
  mutating func stored(_ json: JSONValue) -> StoredModel {
    let model = model(json)
    var stored = StoredModel(model: model, nextTag: 1)
    guard let next = json["nextTag"]?.integerValue.flatMap(UInt16.init(exactly:)), next > 0 else {
      add(Place(path: "nextTag"), "is missing or no tag; a number from 1 to \(UInt16.max) is needed")
      return stored
    }
    stored.nextTag = next
    for (index, entity) in (json["entities"]?.elements ?? []).enumerated() {
      let place = Place(path: "entities").element(index).named(entity["name"]?.stringValue)
      // A wrong tag is reported where the entity is read.
      guard let tag = entity["tag"]?.integerValue.flatMap(UInt16.init(exactly:)).map(Tag.init) else { continue }
      readRetired(of: tag, from: entity, at: place, to: &stored)
    }
    _ = list("retiredEntities", of: json, at: Place(path: "")) { reader, json, place in
      reader.retiredEntity(json, at: place, to: &stored)
    }
    return stored
  }

  private mutating func retiredEntity(_ json: JSONValue, at place: Place, to stored: inout StoredModel) -> Void? {
    let keys = ["name", "tag", "retiredAttributes", "retiredRelationships"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    let tag = tag("tag", of: json, at: place)
    stored.entities.append((tag, requiredText("name", of: json, at: place)))
    readRetired(of: tag, from: json, at: place, to: &stored)
    return ()
  }

  private mutating func readRetired(of tag: Tag, from json: JSONValue, at place: Place, to stored: inout StoredModel) {
    stored.attributes[tag] = list("retiredAttributes", of: json, at: place) { $0.retiredAttribute($1, at: $2) }
    stored.relationships[tag] = list("retiredRelationships", of: json, at: place) { $0.retiredRelationship($1, at: $2) }
  }

  private mutating func retiredAttribute(_ json: JSONValue, at place: Place) -> StoredModel.RetiredAttribute? {
    let keys = ["name", "tag", "type", "optional", "default", "valueWhenMissing", "order", "derived"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    guard let type = choice("type", of: json, at: place, as: AttributeType.self) else {
      if json["type"] == nil { add(place.member("type"), "is missing") }
      return nil
    }
    let attribute = ResolvedAttribute(
      tag: tag("tag", of: json, at: place), name: requiredText("name", of: json, at: place), type: type,
      isOptional: flag("optional", of: json, at: place),
      defaultValue: value("default", of: json, type: type, at: place),
      valueWhenMissing: value("valueWhenMissing", of: json, type: type, at: place),
      order: choice("order", of: json, at: place) ?? .codepoint, derivation: nil, isRetired: true)
    guard let derived = json["derived"] else { return StoredModel.RetiredAttribute(attribute: attribute) }
    let derivedPlace = place.member("derived")
    guard let derived = members(derived, at: derivedPlace, keys: ["kind", "relationship", "attribute"]) else {
      return nil
    }
    let kinds = ResolvedDerivation.Kind.all
    guard let kind = kinds.first(where: { $0.key == derived["kind"]?.stringValue }),
      (kind == .count) == (derived["attribute"] == nil)
    else {
      add(derivedPlace, "has no kind, or no attribute; the kinds are \(kinds.map(\.key).joined(separator: ", "))")
      return nil
    }
    return StoredModel.RetiredAttribute(
      attribute: attribute,
      derived: (
        kind, tag("relationship", of: derived, at: derivedPlace),
        kind == .count ? nil : tag("attribute", of: derived, at: derivedPlace)
      ))
  }

  private mutating func retiredRelationship(_ json: JSONValue, at place: Place) -> StoredModel.RetiredRelationship? {
    let keys = ["name", "tag", "to", "inverse", "many", "optional", "ordered", "owner", "onDelete"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    return StoredModel.RetiredRelationship(
      name: requiredText("name", of: json, at: place), tag: tag("tag", of: json, at: place),
      target: tag("to", of: json, at: place), inverse: tag("inverse", of: json, at: place),
      isMany: flag("many", of: json, at: place), isOptional: flag("optional", of: json, at: place),
      isOrdered: flag("ordered", of: json, at: place), isOwner: flag("owner", of: json, at: place),
      deleteRule: choice("onDelete", of: json, at: place) ?? .nullify)
  }
}

private extension ResolvedDerivation.Kind {
  static var all: [ResolvedDerivation.Kind] { [.count, .sum, .minimum, .maximum] }
}
