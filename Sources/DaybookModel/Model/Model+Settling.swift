extension Model {
  /// Returns the model as declared, with defaults in stored form and no data of a store.
  ///
  /// A model that was read from one store can so be edited and passed to another. The model must be valid.
  func settled() -> Model {
    var model = self
    for entity in model.entities.indices { model.entities[entity].settle() }
    return model
  }
}

private extension Entity {
  mutating func settle() {
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
