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
    let failure = ConstraintFailure(violation, in: model)
    let (entity, object, names) = (failure.entity, failure.object, failure.fields.joined(separator: ", "))
    switch violation {
    case .collision(_, _, _, let other, let values):
      let shown = values.map { "“\($0.text.prefix(60))”" }.joined(separator: ", ")
      self.init(
        .constraint, "\(entity) \(object) has the same \(names) as \(other), but they must be unique: \(shown).",
        advice: "Choose another value, or change the object that has it: an upsert does.", failure: failure)
    case .overflow:
      self.init(
        .constraint, "The sum \(entity).\(names) of \(object) is not a number that can be stored.",
        advice: "Write smaller numbers, or numbers of fewer digits.", failure: failure)
    case .cycle(let cycle):
      self.init(
        .constraint, "\(cycle.description(in: model)).", advice: "Relate one of these objects elsewhere.",
        failure: failure)
    }
  }
}
