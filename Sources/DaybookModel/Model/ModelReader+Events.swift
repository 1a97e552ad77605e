/// The named events of a model, as declared and as stored.
extension ModelReader {
  /// The keys of an event in a model file.
  private static let eventKeys = ["name", "renamedFrom", "about", "attributes"]

  mutating func event(_ json: JSONValue, at place: Place) -> EventType? {
    let place = place.named(json["name"]?.stringValue)
    guard let json = members(json, at: place, keys: ModelReader.eventKeys) else { return nil }
    return EventType(
      name: requiredText("name", of: json, at: place), renamedFrom: text("renamedFrom", of: json, at: place),
      about: requiredText("about", of: json, at: place),
      attributes: list("attributes", of: json, at: place) { $0.attribute($1, at: $2) })
  }

  mutating func storedEvent(_ json: JSONValue, at place: Place) -> EncodedEventType? {
    let place = place.named(json["name"]?.stringValue)
    let keys = ["name", "about", "attributes", "tag", "retiredAttributes"]
    guard let json = members(json, at: place, keys: keys) else { return nil }
    return EncodedEventType(
      tag: tag("tag", of: json, at: place), name: requiredText("name", of: json, at: place),
      about: requiredText("about", of: json, at: place),
      attributes: list("attributes", of: json, at: place) { $0.storedAttribute($1, at: $2) },
      retired: list("retiredAttributes", of: json, at: place) { $0.retiredAttribute($1, at: $2) })
  }

  mutating func retiredEvent(_ json: JSONValue, at place: Place) -> RetiredEventType? {
    let place = place.named(json["name"]?.stringValue)
    guard let json = members(json, at: place, keys: ["name", "tag", "about", "retiredAttributes"]) else { return nil }
    return RetiredEventType(
      tag: tag("tag", of: json, at: place), name: requiredText("name", of: json, at: place),
      about: tag("about", of: json, at: place),
      attributes: list("retiredAttributes", of: json, at: place) { $0.retiredAttribute($1, at: $2) })
  }
}
