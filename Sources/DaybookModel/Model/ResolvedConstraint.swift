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
