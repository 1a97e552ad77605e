/// A sorted view of an entity: the timeline, or an index of the model.
package final class ResolvedView: Sendable {
  package let tag: Tag
  package let terms: [ResolvedTerm]

  package init(tag: Tag, terms: [ResolvedTerm]) {
    self.tag = tag
    self.terms = terms
  }
}

/// One level of the order of a view.
package struct ResolvedTerm: Hashable, Sendable {
  package let path: ResolvedPath
  package let isDescending: Bool
  /// The type of the values.
  package let type: AttributeType
  package let order: StringOrder

  package init(path: ResolvedPath, isDescending: Bool, type: AttributeType, order: StringOrder) {
    self.path = path
    self.isDescending = isDescending
    self.type = type
    self.order = order
  }
}
