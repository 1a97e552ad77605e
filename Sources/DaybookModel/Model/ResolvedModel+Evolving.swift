extension ResolvedModel {
  /// Returns the change that turns this model into `model`.
  ///
  /// Entities, attributes and relationships are matched by name, or by `renamedFrom`, and keep their tags and numbers;
  /// new parts receive new ones, and missing parts are retired. An index, a uniqueness constraint or a derived
  /// attribute keeps its tag if its terms, fields or derivation are the same.
  ///
  /// - Throws: All faults of the model and all unsupported changes, each with a remedy.
  package func evolved(to model: Model) throws(ModelError) -> ModelChange {
    let faults = ModelValidation.faults(of: model)
    guard faults.isEmpty else { throw ModelError(faults) }
    var evolution = ModelEvolution(old: self, model: model.settled())
    evolution.matchEntities()
    guard evolution.faults.isEmpty else { throw ModelError(evolution.faults) }
    evolution.compareEntities()
    evolution.retireMissing()
    guard evolution.faults.isEmpty else { throw ModelError(evolution.faults) }
    evolution.redefineDerived()
    evolution.matchViews()
    try evolution.counter.check()
    return evolution.change()
  }
}
