import DaybookModel

extension ConstraintFailure {
  init(_ violation: Fold.Violation, in model: ResolvedModel) {
    switch violation {
    case .collision(let entity, let constraint, let object, let other, let values):
      let entity = model.entities[entity]
      self.init(
        entity: entity.name, object: object,
        fields: entity.constraints[constraint].fields.map { entity.name(of: $0) }, rule: .unique(other),
        value: values.count == 1 ? values[0] : .null)
    case .overflow(let entity, let attribute, let object):
      let entity = model.entities[entity]
      self.init(entity: entity.name, object: object, fields: [entity.attributes[attribute].name], rule: .sum)
    case .cycle(let cycle):
      self.init(
        entity: model.entities[cycle.reference.entity].name, object: cycle.ids[0],
        fields: [model[cycle.reference].name], rule: .acyclic)
    }
  }
}
