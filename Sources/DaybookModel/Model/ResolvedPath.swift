/// A key path resolved in a model: its relationships, and the field at its end.
///
/// Indexes, filters, sort terms and sections use it. Only the paths of filters and shown values lead over to-many
/// relationships. A path that ends in a to-many relationship has the `id` of each target as its field.
package struct ResolvedPath: Hashable, Sendable {
  /// One relationship of the path.
  package struct Step: Hashable, Sendable {
    /// The relationship of the entity that declares it, which may be an ancestor of the entity where the step begins.
    package let relationship: RelationshipReference
    /// The number of the target entity.
    package let target: Int
    package let isMany: Bool

    package init(relationship: RelationshipReference, target: Int, isMany: Bool) {
      self.relationship = relationship
      self.target = target
      self.isMany = isMany
    }
  }

  package enum Field: Hashable, Sendable {
    /// The attribute of this number.
    case attribute(Int)
    /// The identity of the target of the to-one relationship of this number.
    case target(Int)
    case id, createdAt, changedAt
    /// The name of the object's own entity: of a descendant, if the path ends at a parent.
    case entity
    /// The object's place among a parent's ordered targets: the link's order key.
    ///
    /// The number is the relationship's, whose inverse leads from the parent and is ordered. Requests sort by the
    /// place; indexes do not.
    case place(Int, of: ObjectID)
  }

  /// The number of the path's first entity.
  package let start: Int
  /// Empty for a field of the object itself.
  package let steps: [Step]
  /// A field of ``end``.
  package let field: Field
  /// The type of the values.
  package let type: AttributeType
  package let order: StringOrder

  package init(start: Int, steps: [Step] = [], field: Field, type: AttributeType, order: StringOrder = .codepoint) {
    self.start = start
    self.steps = steps
    self.field = field
    self.type = type
    self.order = order
  }
}

extension ResolvedPath {
  /// The number of the entity that has the field.
  package var end: Int { steps.last?.target ?? start }

  /// The number of the entity at which a step begins.
  package func place(ofStep number: Int) -> Int { number == 0 ? start : steps[number - 1].target }

  /// Whether the path is the identity of the object itself.
  package var isOwnID: Bool { steps.isEmpty && field == .id }

  /// Whether the path has any number of values instead of at most one.
  package var isMany: Bool { steps.contains(where: \.isMany) }

  /// The same path, whose values have another order.
  package func ordered(by order: StringOrder) -> ResolvedPath {
    ResolvedPath(start: start, steps: steps, field: field, type: type, order: order)
  }

  /// The path that ends at `.target`, if this one ends at `id` after a to-one step.
  ///
  /// Both have the same values: `type` and `type.id` name one value. The paths of requests are canonical; an index
  /// keeps the form in which it is declared, because a store recognizes its indexes by it.
  package var canonical: ResolvedPath {
    guard field == .id, let last = steps.last, !last.isMany else { return self }
    return ResolvedPath(
      start: start, steps: steps.dropLast(), field: .target(last.relationship.relationship), type: .uuid)
  }
}
