#if Import

import DaybookModel

/// An entity of the store with the entity of the source from which it is made.
package struct TranslatedEntity: Hashable, Sendable {
  /// The name in the source.
  package let source: String
  /// The name in the store.
  package let name: String
  /// The name by which an earlier version of the source's model declares the entity.
  package let renamingIdentifier: String?
  /// The name of the parent in the store.
  package var parent: String?
  package var isAbstract = false
  package var attributes: [TranslatedAttribute] = []
  package var relationships: [TranslatedRelationship] = []
  /// The values that are unique together, by their names in the store.
  package var unique: [[String]] = []
  package var indexes: [Index] = []

  package init(source: String, name: String, renamingIdentifier: String?) {
    self.source = source
    self.name = name
    self.renamingIdentifier = renamingIdentifier
  }

  /// The declaration in the store's model.
  package var declaration: Entity {
    Entity(
      name: name, parent: parent, isAbstract: isAbstract, attributes: attributes.map(\.declaration),
      relationships: relationships.map(\.declaration), unique: unique, indexes: indexes)
  }
}

#endif
