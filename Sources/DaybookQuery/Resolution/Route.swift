import DaybookModel

/// A key path resolved in a model: its relationships, and the field at its end.
///
/// One value has one route: a path that ends in a to-one relationship ends at the target's identity, and is the same
/// route whether it is written `type` or `type.id`. A path that ends in a to-many relationship has one more step, to
/// the `id` of each target.
package struct Route: Hashable, Sendable {
  /// One relationship of the route.
  package struct Step: Hashable, Sendable {
    package let relationship: RelationshipReference
    /// The number of the target entity.
    package let target: Int
    package let isMany: Bool
  }

  /// The number of the route's first entity.
  package let start: Int
  package let steps: [Step]
  /// A field of ``end``.
  package let field: ResolvedPath.Field
  /// The type of the values.
  package let type: AttributeType
  package let order: StringOrder

  /// The number of the entity that has the field.
  package var end: Int { steps.last?.target ?? start }
  /// Whether the route has any number of values instead of at most one.
  package var isMany: Bool { steps.contains(where: \.isMany) }
  /// The same route in the form of indexes.
  package var path: ResolvedPath { ResolvedPath(steps: steps.map(\.relationship), field: field) }
}
