#if Import

/// Finds the parts of an older version of a model for the parts of the version that is imported.
///
/// A renaming identifier is the same over versions, and is the name of a part that has none.
struct VersionMatch {
  let old: SourceLookup
  let new: SourceLookup

  /// Returns the name in the old version of an entity of the new one, or `nil` if the old one lacks it.
  func entity(_ name: String) -> String? {
    guard let entity = new.entity(name) else { return nil }
    let entities = old.model.entities.map { ($0.name, $0.renamingIdentifier) }
    return VersionMatch.match(name, entity.renamingIdentifier, in: entities)
  }

  /// Returns the place among the attributes of an old entity of a new attribute, or `nil` if the old one lacks it.
  func attribute(
    _ attribute: SourceAttribute, in fields: [(field: SourceField, attribute: SourceAttribute)]
  ) -> Int? {
    let names = fields.map { ($0.attribute.name, $0.attribute.renamingIdentifier) }
    let name = VersionMatch.match(attribute.name, attribute.renamingIdentifier, in: names)
    return name.flatMap { name in fields.firstIndex { $0.attribute.name == name } }
  }

  /// Returns the old relationship for a new one, or `nil` if the old version lacks it.
  func relationship(_ field: SourceField) -> SourceField? {
    guard let relationship = new.relationship(field), let entity = entity(field.entity) else { return nil }
    let fields = old.relationships(of: entity)
    let names = fields.map { ($0.relationship.name, $0.relationship.renamingIdentifier) }
    let name = VersionMatch.match(relationship.name, relationship.renamingIdentifier, in: names)
    return name.flatMap { name in fields.first { $0.relationship.name == name }?.field }
  }

  private static func match(
    _ name: String, _ identifier: String?, in parts: [(name: String, identifier: String?)]
  ) -> String? {
    let wanted = identifier ?? name
    let found =
      parts.first { ($0.identifier ?? $0.name) == wanted } ?? parts.first { $0.name == name }
      ?? parts.first { $0.name == wanted }
    return found?.name
  }
}

#endif
