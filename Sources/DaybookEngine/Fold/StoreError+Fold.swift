import DaybookModel

extension StoreError {
  /// Makes the error for a commit whose events do not fit the state onto which they are folded.
  ///
  /// - Parameter damagedPath: The environment that may be damaged; `nil` if only the journal can be.
  package init(
    contradiction fault: ProjectionFault, at position: Position, _ direction: Fold.Direction = .forward,
    damagedPath: String? = nil
  ) {
    let side = direction == .forward ? "before" : "after"
    self.init(
      .damaged, "Commit \(position) does not fit the state \(side) it: \(fault).",
      advice: .verifyAndRestore, damagedPath: damagedPath)
  }

  /// Makes the error for a broken rule of the model.
  package init(_ violation: Fold.Violation, in model: ResolvedModel) {
    switch violation {
    case .collision(let entity, let constraint, let object, let other):
      let entity = model.entities[entity]
      let names = entity.constraints[constraint].fields.map { entity.name(of: $0) }.joined(separator: ", ")
      self.init(
        .constraint, "\(entity.name) \(object) has the same \(names) as \(other), but they must be unique.",
        advice: "Choose another value.")
    case .overflow(let entity, let attribute, let object):
      let entity = model.entities[entity]
      self.init(
        .constraint,
        "The sum \(entity.name).\(entity.attributes[attribute].name) of \(object) is not a number that can be stored.",
        advice: "Write smaller numbers, or numbers of fewer digits.")
    case .circle(let circle):
      self.init(
        .constraint, "\(circle.description(in: model)).", advice: "Relate one of these objects elsewhere.")
    }
  }
}
