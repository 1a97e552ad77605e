import DaybookModel

/// A rule of the model that a commit breaks.
package struct ConstraintFault {
  /// The object that the commit changed.
  package let object: ObjectID
  /// The attributes and relationships that the rule is about.
  package let fields: [String]
  /// The object that has the same unique values; `nil` for other rules.
  package let other: ObjectID?
  /// The circle that links form; `nil` for other rules.
  package let circle: Circle?
  package let error: StoreError

  init(object: ObjectID, fields: [String], other: ObjectID? = nil, circle: Circle? = nil, error: StoreError) {
    (self.object, self.fields, self.other, self.circle, self.error) = (object, fields, other, circle, error)
  }

  init(_ violation: Fold.Violation, in model: ResolvedModel) {
    let error = StoreError(violation, in: model)
    switch violation {
    case .collision(let entity, let constraint, let object, let other):
      let entity = model.entities[entity]
      let fields = entity.constraints[constraint].fields.map { entity.name(of: $0) }
      self.init(object: object, fields: fields, other: other, error: error)
    case .overflow(_, _, let object): self.init(object: object, fields: [], error: error)
    case .circle(let circle):
      self.init(object: circle.ids[0], fields: [model[circle.reference].name], circle: circle, error: error)
    }
  }
}
