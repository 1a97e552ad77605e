import DaybookModel

/// A rule of the model that a commit breaks.
package struct ConstraintFault {
  package let failure: ConstraintFailure
  /// The objects whose changes may have broken the rule; more than the object itself if the rule reads others.
  package private(set) var origins: Set<ObjectID>
  /// The cycle that links form; `nil` for other rules.
  package let cycle: Cycle?
  package let error: StoreError

  /// The object that the commit changed.
  package var object: ObjectID { failure.object }
  /// The attributes and relationships that a write can change to meet the rule; none for a sum.
  package var fields: [String] { failure.rule == .sum ? [] : failure.fields }
  /// The object that has the same unique values; `nil` for other rules.
  package var other: ObjectID? {
    if case .unique(let other) = failure.rule { other } else { nil }
  }

  init(_ failure: ConstraintFailure, _ message: String, advice: String) {
    self.failure = failure
    origins = [failure.object]
    cycle = nil
    error = StoreError(.constraint, message, advice: .text(advice), failure: failure)
  }

  init(_ violation: Fold.Violation, in model: ResolvedModel) {
    failure = ConstraintFailure(violation, in: model)
    origins = [failure.object]
    if case .cycle(let cycle) = violation { self.cycle = cycle } else { cycle = nil }
    error = StoreError(violation, in: model)
  }

  /// Returns the fault with other objects whose changes may have broken the rule.
  func adding(_ origins: Set<ObjectID>) -> ConstraintFault {
    var fault = self
    fault.origins.formUnion(origins)
    return fault
  }
}
