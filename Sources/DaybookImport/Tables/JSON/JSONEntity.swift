#if Import

import DaybookModel

/// The fields of the objects of a JSON file, or of the objects nested in them.
package struct JSONEntity: Hashable, Sendable {
  /// The name of the entity: the caller's, or the containing entity's with the key.
  package let name: String
  package let columns: [Column]
  /// The nested entities, in the order in which their keys first occur; empty unless nested entities are read.
  package let children: [Child]
  /// The number of objects.
  package let rowCount: Int

  /// An attribute.
  package struct Column: Hashable, Sendable {
    /// The key in the file.
    package let name: String
    /// The name of the attribute.
    package let attribute: String
    package let type: AttributeType
    /// Whether the caller gave the type.
    package let isTypeGiven: Bool
    /// The number of values that are not null.
    package let valueCount: Int
    /// The reason for the type where it is not the values' own, as the end of a sentence that begins with the field.
    package let note: String?
  }

  /// A relationship to nested objects, which are deleted with the containing object.
  package struct Child: Hashable, Sendable {
    /// The key in the file.
    package let name: String
    /// The name of the relationship to the nested objects.
    package let relationship: String
    /// The name of the nested entity's relationship to the containing object.
    package let inverse: String
    /// Whether the values are arrays; the relationship is then ordered.
    package let isMany: Bool
    package let entity: JSONEntity
  }
}

extension JSONEntity {
  /// The entity and all nested entities, each before the entities nested in it.
  package var all: [JSONEntity] { [self] + children.flatMap(\.entity.all) }
}

#endif
