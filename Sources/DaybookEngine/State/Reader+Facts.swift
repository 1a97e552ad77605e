import DaybookModel

/// What a fact is about, read by tags, which mean the same in each model of a store.
extension Reader {
  /// Returns a value, or `nil` if the object does not exist or the model lacks the attribute.
  func value(_ tag: Tag, of id: ObjectID) throws -> Value? {
    guard let key = try find(id), let record = try unsafe unsafeRecord(of: key) else { return nil }
    let entity = model.entities[key.entity]
    return try entity.attribute(tagged: tag).map { try RecordView(record).value(of: entity.attributes[$0]) }
  }

  /// Returns the targets of a relationship, or `nil` if the object does not exist or the model lacks the relationship.
  func targets(_ tag: Tag, of id: ObjectID) throws -> [ObjectID]? {
    guard try find(id) != nil, let reference = model.relationship(tagged: tag) else { return nil }
    return try targets(of: reference, from: id)
  }

  /// Whether a link exists.
  func has(_ link: LinkIdentity) throws -> Bool {
    try targets(link.relationship, of: link.owner)?.contains(link.target) ?? false
  }
}
