#if Import

import DaybookModel

/// Adds the parts of an imported model to the model of a store.
///
/// Parts that both have must agree, and stay as the store has them; nothing of the store is removed.
enum ModelMerge {
  /// Returns the store's model with what it lacks.
  ///
  /// - Throws: ``ImportError`` for a part that both have with another meaning.
  static func merged(_ store: Model, adding imported: Model) throws(ImportError) -> Model {
    var model = store
    for entity in imported.entities {
      guard let place = model.entities.firstIndex(where: { $0.name == entity.name }) else {
        model.entities.append(entity)
        continue
      }
      try add(entity, to: &model.entities[place])
    }
    return model
  }

  private static func add(_ imported: Entity, to entity: inout Entity) throws(ImportError) {
    guard entity.parent == imported.parent else {
      throw different(entity.name, kind(parent: entity.parent), kind(parent: imported.parent))
    }
    for attribute in imported.attributes {
      guard let present = entity.attributes.first(where: { $0.name == attribute.name }) else {
        try checkFree(attribute.name, entity)
        entity.attributes.append(attribute)
        continue
      }
      guard present.type == attribute.type, present.derivation == attribute.derivation else {
        throw different("\(entity.name).\(attribute.name)", kind(present), kind(attribute))
      }
    }
    for relationship in imported.relationships {
      guard let present = entity.relationship(relationship.name) else {
        try checkFree(relationship.name, entity)
        entity.relationships.append(relationship)
        continue
      }
      guard present.target == relationship.target, present.isMany == relationship.isMany,
        present.inverse == relationship.inverse, present.isOrdered == relationship.isOrdered
      else {
        throw different("\(entity.name).\(relationship.name)", kind(present), kind(relationship))
      }
    }
  }

  private static func checkFree(_ name: String, _ entity: Entity) throws(ImportError) {
    let isTaken = entity.attributes.contains { $0.name == name } || entity.relationship(name) != nil
    guard isTaken else { return }
    throw different("\(entity.name).\(name)", "a field of another kind", "what the source has")
  }

  private static func different(_ place: String, _ present: String, _ imported: String) -> ImportError {
    ImportError(
      .usage,
      "\(place) is \(present) in the store, and would be \(imported); give it another name with --rename, or import "
        + "into a new store")
  }

  private static func kind(parent: String?) -> String {
    parent.map { "an entity with the parent \($0)" } ?? "an entity without a parent"
  }

  private static func kind(_ attribute: Attribute) -> String {
    attribute.derivation == nil ? attribute.type?.nounPhrase ?? "a value" : "derived"
  }

  private static func kind(_ relationship: Relationship) -> String {
    let words = [
      relationship.isOrdered ? "an ordered" : "a", relationship.isMany ? "to-many" : "to-one",
      "relationship to \(relationship.target)",
      relationship.inverse.isEmpty ? "without an inverse" : "with the inverse \(relationship.inverse)",
    ]
    return words.joined(separator: " ")
  }
}

#endif
