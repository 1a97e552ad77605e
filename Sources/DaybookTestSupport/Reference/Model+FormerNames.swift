import DaybookModel

extension Model {
  /// The model without the former names of its parts.
  package var withoutFormerNames: Model {
    var model = self
    for entity in model.entities.indices {
      model.entities[entity].renamedFrom = nil
      for number in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[number].renamedFrom = nil
      }
      for number in model.entities[entity].relationships.indices {
        model.entities[entity].relationships[number].renamedFrom = nil
      }
    }
    return model
  }
}
