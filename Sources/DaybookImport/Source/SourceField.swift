#if Import

/// The place of an attribute or a relationship: the entity that declares it, and its name.
package struct SourceField: Hashable, Sendable {
  /// The declaring entity; for an inherited field an ancestor of the object's entity.
  package let entity: String
  package let name: String

  package init(_ entity: String, _ name: String) {
    self.entity = entity
    self.name = name
  }
}

extension SourceField: CustomStringConvertible {
  package var description: String { "\(entity).\(name)" }
}

extension SourceField: Comparable {
  package static func < (a: SourceField, b: SourceField) -> Bool { (a.entity, a.name) < (b.entity, b.name) }
}

#endif
