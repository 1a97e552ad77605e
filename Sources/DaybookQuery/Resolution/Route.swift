import DaybookModel

/// A key path that was looked up in a model: the relationships that it leads over, and the field that it ends at.
///
/// One value has one route: a path that ends in a to-one relationship ends at the target's identity, and is the same
/// route whether it is written `type` or `type.id`. A path that ends in a to-many relationship goes one step further, to
/// the `id` of each target.
package struct Route: Hashable, Sendable {
  /// One relationship on the way.
  package struct Step: Hashable, Sendable {
    package let relationship: RelationshipReference
    /// The number of the entity that it leads to.
    package let target: Int
    package let isMany: Bool
  }

  /// The number of the entity that it starts from.
  package let start: Int
  package let steps: [Step]
  /// A field of ``end``.
  package let field: ResolvedPath.Field
  /// The type of the values, and for strings their order.
  package let type: AttributeType
  package let order: StringOrder

  /// The number of the entity whose field it is.
  package var end: Int { steps.last?.target ?? start }
  /// Whether it leads to any number of values instead of at most one.
  package var isMany: Bool { steps.contains(where: \.isMany) }
  /// The same way as indexes name it.
  package var path: ResolvedPath { ResolvedPath(steps: steps.map(\.relationship), field: field) }

  /// The relationships and the field by which the values can change, apart from objects coming and going.
  package var dependencies: [Dependency] {
    var dependencies = steps.map { Dependency.relationship($0.relationship) }
    switch field {
    case .attribute(let number): dependencies.append(.attribute(entity: end, number: number))
    case .target(let number), .place(let number, _):
      dependencies.append(.relationship(RelationshipReference(entity: end, relationship: number)))
    case .createdAt: dependencies.append(.createdAt(entity: end))
    case .changedAt: dependencies.append(.changedAt(entity: end))
    case .id: break
    }
    return dependencies
  }
}

/// Something whose change can change the answer to a request.
package enum Dependency: Hashable, Sendable {
  /// The values of an attribute, stored or derived.
  case attribute(entity: Int, number: Int)
  /// The links of a relationship, named from the side from which the request goes over it; its inverse has the same links.
  case relationship(RelationshipReference)
  case createdAt(entity: Int)
  case changedAt(entity: Int)
}

extension ResolvedPath {
  /// The path in the one form that routes have: ending at `.target` rather than at the `id` behind a to-one step.
  package var canonical: ResolvedPath {
    guard field == .id, let last = steps.last else { return self }
    return ResolvedPath(steps: steps.dropLast(), field: .target(last.relationship))
  }
}
