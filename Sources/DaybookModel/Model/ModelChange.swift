/// What must be done so that a store's model becomes another one.
package struct ModelChange: Sendable {
  /// The model afterwards; the one before, if nothing changes.
  package var model: ResolvedModel
  /// What changes, a line each, for people: `add attribute Recipe.note (string, optional)`.
  package var steps: [String] = []
  /// What must be true of the objects; the change is refused with the check's fault if it is not.
  package var checks: [ModelCheck] = []
  /// The views to build, by the numbers of the new model.
  package var newViews: [(entity: Int, view: Int)] = []
  package var removedViewTags: [Tag] = []
  /// The uniqueness constraints to build; the change is refused if objects collide.
  package var newConstraints: [(entity: Int, constraint: Int)] = []
  package var removedConstraintTags: [Tag] = []
  /// The derived attributes to compute.
  package var newDerived: [(entity: Int, attribute: Int)] = []

  /// Whether the models say the same, apart from the order of declarations.
  package var isEmpty: Bool { steps.isEmpty }
}

/// A condition that a change of the model puts on the objects in the store.
package struct ModelCheck: Hashable, Sendable {
  package let condition: Condition
  /// What to throw if the condition does not hold.
  package let fault: ModelError.Fault

  /// The numbers are those of the old model and of the new one: they are the same.
  package enum Condition: Hashable, Sendable {
    /// The entity has no objects.
    case noObjects(entity: Int)
    /// No object of the entity lacks a value of the attribute.
    case noNulls(entity: Int, attribute: Int)
    /// No object of the entity lacks a target of the to-one relationship, owned or not.
    case noEmptyLinks(entity: Int, relationship: Int)
  }
}
