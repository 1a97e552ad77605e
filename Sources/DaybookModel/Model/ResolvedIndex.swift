/// The rows of an entity in the order of some terms: the timeline, or an index of the model.
package final class ResolvedIndex: Sendable {
  package let tag: Tag
  package let terms: [ResolvedTerm]

  package init(tag: Tag, terms: [ResolvedTerm]) {
    self.tag = tag
    self.terms = terms
  }
}

/// One level of the order of an index or of a request.
package struct ResolvedTerm: Hashable, Sendable {
  package let path: ResolvedPath
  package let isDescending: Bool
  /// The type of the values, which differs from the path's if a section is made of the path's values.
  package let type: AttributeType
  package let order: StringOrder
  /// Whether null comes at the other end than the direction has it: last if the term ascends, first if it descends.
  ///
  /// Never true of an index's term.
  package let movesNull: Bool

  package init(
    path: ResolvedPath, isDescending: Bool, type: AttributeType, order: StringOrder, movesNull: Bool = false
  ) {
    self.path = path
    self.isDescending = isDescending
    self.type = type
    self.order = order
    self.movesNull = movesNull
  }

  /// Creates a term that sorts by the values of a path.
  package init(path: ResolvedPath, isDescending: Bool, movesNull: Bool = false) {
    self.init(
      path: path, isDescending: isDescending, type: path.type, order: path.order, movesNull: movesNull)
  }
}

/// A uniqueness constraint: no two objects share all values of its fields, except nulls.
package final class ResolvedConstraint: Sendable {
  package let tag: Tag
  /// Attributes and to-one relationships that the entity owns.
  package let fields: [ResolvedPath.Field]

  package init(tag: Tag, fields: [ResolvedPath.Field]) {
    self.tag = tag
    self.fields = fields
  }
}
