#if Import

import DaybookModel

/// An attribute of the store with the attribute of the source from which it is made.
package struct TranslatedAttribute: Hashable, Sendable {
  /// The declaration in the source's model.
  package let source: SourceField
  /// The declaration in the store's model.
  package let declaration: Attribute
  /// The name by which an earlier version of the source's model declares the attribute.
  package let renamingIdentifier: String?

  package var name: String { declaration.name }
  /// The type of the stored values; derived attributes have none, and nothing is written to them.
  package var type: AttributeType? { declaration.type }
}

/// A relationship of the store with the relationship of the source from which it is made.
package struct TranslatedRelationship: Hashable, Sendable {
  /// The declaration in the source's model.
  package let source: SourceField
  /// The declaration in the store's model.
  package let declaration: Relationship
  /// The name by which an earlier version of the source's model declares the relationship.
  package let renamingIdentifier: String?

  package var name: String { declaration.name }
}

#endif
