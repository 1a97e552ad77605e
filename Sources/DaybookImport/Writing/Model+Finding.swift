#if Import

import DaybookModel

extension Model {
  /// Returns the attributes of an entity's objects, inherited ones first.
  func attributes(of entity: String) -> [Attribute] { lineage(of: entity).flatMap(\.attributes) }

  /// Returns an entity with the fields of its ancestors, inherited ones first, or `nil` if the model lacks it.
  func wholeEntity(_ name: String) -> Entity? {
    guard var entity = entity(name) else { return nil }
    entity.attributes = attributes(of: name)
    entity.relationships = lineage(of: name).flatMap(\.relationships)
    return entity
  }

  /// Returns whether the objects of an entity are objects of another one: of itself or an ancestor.
  func isKind(_ entity: String, of ancestor: String) -> Bool {
    entity == ancestor || lineage(of: entity).contains { $0.name == ancestor }
  }
}

#endif
