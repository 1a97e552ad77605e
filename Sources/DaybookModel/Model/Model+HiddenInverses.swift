/// The ways back over relationships that declare no inverse.
///
/// Each link has rows in both directions, so a one-way relationship has an inverse too: a relationship of the target, to
/// many objects, which has a tag and which no file, no struct and no list of an object's links shows. It is a
/// declaration like the others in the stored form, and in what is resolved from it.
extension Model {
  /// Returns the model with the hidden inverse of each one-way relationship, at the end of the target's relationships.
  ///
  /// A relationship to an entity that the model lacks stays as it is.
  func completed() -> Model {
    var model = self
    let numbers = ModelLookup.numbers(of: entities.map(\.name))
    for (number, entity) in entities.enumerated() {
      for (place, relationship) in entity.relationships.enumerated() where relationship.inverse.isEmpty {
        guard let target = numbers[relationship.target] else { continue }
        let name = relationship.hiddenInverseName(of: entity.name)
        model.entities[number].relationships[place].inverse = name
        // Two relationships of one name are reported as such; a second inverse of that name would only be reported too.
        if model.entities[target].relationships.contains(where: { $0.name == name }) { continue }
        model.entities[target].relationships.append(
          Relationship(name: name, target: entity.name, inverse: relationship.name, isMany: true))
      }
    }
    return model
  }

  /// Returns the model without hidden inverses, as it was declared.
  func withoutHiddenInverses() -> Model {
    var model = self
    for number in entities.indices {
      model.entities[number].relationships.removeAll(where: \.isHidden)
      for place in model.entities[number].relationships.indices
      where model.entities[number].relationships[place].isOneWay {
        model.entities[number].relationships[place].inverse = ""
      }
    }
    return model
  }
}
