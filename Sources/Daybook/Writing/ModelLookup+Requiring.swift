import DaybookModel

/// Lookup of names that must exist.
extension ResolvedModel {
  /// - Throws: `StoreError` with the code `notFound`, which lists the existing names.
  package func requireEntity(_ name: String) throws -> Int {
    if let entity = entity(named: name) { return entity }
    let names = entities.filter { !$0.isRetired }.map(\.name).joined(separator: ", ")
    throw StoreError(.notFound, "The model has no entity “\(name)”.", advice: "It has \(names).")
  }

  /// - Throws: `StoreError` with the code `notFound`, which lists the existing names.
  package func requireRelationship(_ name: String, of entity: Int) throws -> RelationshipReference {
    if let number = entities[entity].relationship(named: name) {
      return RelationshipReference(entity: entity, relationship: number)
    }
    let names = entities[entity].relationships.filter { !$0.isRetired }.map(\.name)
    throw StoreError(
      .notFound, "\(entities[entity].name) has no relationship “\(name)”.",
      advice: names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", ")).")
  }
}

extension ResolvedEntity {
  /// - Throws: `StoreError` for a name that is unknown, built in or derived.
  package func requireStoredAttribute(_ name: String) throws -> Int {
    guard let number = attribute(named: name) else {
      if ["id", "createdAt", "changedAt"].contains(name) {
        throw StoreError(.badValue, "\(self.name).\(name) is built in and cannot be set.")
      }
      let names = attributes.filter { !$0.isRetired && $0.derivation == nil }.map(\.name)
      throw StoreError(
        .notFound, "\(self.name) has no attribute “\(name)”.",
        advice: relationship(named: name) != nil
          ? "It is a relationship: use relate." : "It has \(names.joined(separator: ", ")).")
    }
    guard attributes[number].derivation == nil else {
      throw StoreError(.badValue, "\(self.name).\(name) is derived and cannot be set.")
    }
    return number
  }

}

extension ResolvedAttribute {
  /// Returns a value in its stored form.
  ///
  /// - Throws: `StoreError` with the code `badValue` if it is not of the attribute's type.
  func checked(_ value: Value, of entity: ResolvedEntity) throws -> Value {
    do {
      return try value.normalized(as: type)
    } catch {
      throw StoreError(.badValue, "\(entity.name).\(name): \(error)")
    }
  }
}
