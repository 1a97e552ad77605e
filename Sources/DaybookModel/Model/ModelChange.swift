/// The steps that turn a store's model into another one.
package struct ModelChange: Sendable {
  /// The new model; the old one if nothing changes.
  package var model: ResolvedModel
  /// The changes, one line each, for users: `add attribute Recipe.note (string, optional)`.
  package var steps: [String] = []
  /// The conditions on the objects; if one fails, the change is refused with the check's fault.
  package var checks: [ModelCheck] = []
  /// The views to build, by the numbers of the new model.
  package var newViews: [(entity: Int, view: Int)] = []
  package var removedViewTags: [Tag] = []
  /// The uniqueness constraints to build; the change is refused if objects collide.
  package var newConstraints: [(entity: Int, constraint: Int)] = []
  package var removedConstraintTags: [Tag] = []
  /// The derived attributes to compute.
  package var newDerived: [(entity: Int, attribute: Int)] = []

  /// Whether the models are equal, apart from the order of declarations.
  package var isEmpty: Bool { steps.isEmpty }
}

/// A condition of a model change on the objects in the store.
package struct ModelCheck: Hashable, Sendable {
  package let condition: Condition
  /// The fault to throw if the condition does not hold.
  package let fault: ModelError.Fault

  /// The condition; its numbers are the same in the old and the new model.
  package enum Condition: Hashable, Sendable {
    /// The entity has no objects.
    case noObjects(entity: Int)
    /// No object of the entity lacks a value of the attribute.
    case noNulls(entity: Int, attribute: Int)
    /// No object of the entity lacks a target of the to-one relationship, whichever side owns it.
    case noEmptyLinks(entity: Int, relationship: Int)
  }
}
