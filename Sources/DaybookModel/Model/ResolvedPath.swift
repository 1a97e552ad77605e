/// A way from an object over to-one relationships to a field.
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
    /// Where the object stands among those that a parent leads to by the inverse of the relationship of this number, which
    /// is ordered: the link's order key. Requests sort by it; no index does.
    case place(Int, of: ObjectID)
  }
}
