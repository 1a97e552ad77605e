/// A path from an object over to-one relationships to a field.
package struct ResolvedPath: Hashable, Sendable {
  /// Empty for a field of the object itself.
  package let steps: [RelationshipReference]
  package let field: Field

  package init(steps: [RelationshipReference], field: Field) {
    self.steps = steps
    self.field = field
  }

  package enum Field: Hashable, Sendable {
    /// The attribute of this number.
    case attribute(Int)
    /// The identity of the target of the to-one relationship of this number.
    case target(Int)
    case id, createdAt, changedAt
    /// The object's place among a parent's ordered targets: the link's order key.
    ///
    /// The number is the relationship's, whose inverse leads from the parent and is ordered. Requests sort by the
    /// place; indexes do not.
    case place(Int, of: ObjectID)
  }
}

extension ResolvedPath {
  /// The path in the form of routes: ending at `.target`, not at `id` after a to-one step.
  package var canonical: ResolvedPath {
    guard field == .id, let last = steps.last else { return self }
    return ResolvedPath(steps: steps.dropLast(), field: .target(last.relationship))
  }
}
