extension Model {
  /// The model as it was declared, with defaults in the form in which they are stored, and without what an earlier
  /// store gave it: a model that was read from one may be edited and given to another. The model is valid.
  func settled() -> Model {
    var model = self
    for entity in model.entities.indices { model.entities[entity].settle() }
    return model
  }
}

extension Entity {
  fileprivate mutating func settle() {
    tag = nil
    timelineTag = nil
    uniqueTags = []
    for (number, attribute) in attributes.enumerated() {
      attributes[number].tag = nil
      attributes[number].valueWhenMissing = .null
      // A valid default fits its type, so this cannot fail.
      guard let type = attribute.type, let value = try? attribute.defaultValue.normalized(as: type) else { continue }
      attributes[number].defaultValue = value
    }
    for number in relationships.indices {
      relationships[number].tag = nil
      relationships[number].isOwner = false
    }
    for number in indexes.indices { indexes[number].tag = nil }
  }
}
