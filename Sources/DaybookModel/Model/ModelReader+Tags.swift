/// The tags of the stored form.
extension ModelReader {
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
      add(place, "is no tag; a number from 1 to \(UInt16.max - 1) is needed")
      return Tag(0)
    }
    return Tag(number)
  }

  mutating func readTags(of entity: inout Entity, from json: JSONValue, at place: Place) {
    entity.tag = tag("tag", of: json, at: place)
    entity.timelineTag = tag("timelineTag", of: json, at: place)
    entity.uniqueTags = list("uniqueTags", of: json, at: place) { $0.tag($1, at: $2) }
    let indexTags = list("indexTags", of: json, at: place) { $0.tag($1, at: $2) }
    guard entity.uniqueTags.count == entity.unique.count, indexTags.count == entity.indexes.count else {
      return add(place, "needs as many tags as it has constraints and indexes")
    }
    for (index, tag) in indexTags.enumerated() { entity.indexes[index].tag = tag }
  }
}
