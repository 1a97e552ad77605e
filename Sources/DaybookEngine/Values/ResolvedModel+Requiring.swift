import DaybookModel

extension ResolvedModel {
  /// Parses a model from the body of its commit.
  package convenience init(body: RawSpan, at position: Position) throws {
    do {
      try self.init(stored: JSONValue(parsing: [UInt8](body)))
    } catch {
      throw StoreError(
        .damaged, "The model of commit \(position) cannot be read: \(error)", advice: .verify)
    }
  }

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
    let names = entities[entity].relationships.filter(\.isDeclared).map(\.name)
    throw StoreError(
      .notFound, "\(entities[entity].name) has no relationship “\(name)”.",
      advice: names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", ")).")
  }

  /// Returns the other side of a relationship.
  package func inverse(of reference: RelationshipReference) -> RelationshipReference {
    let relationship = self[reference]
    return RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
  }
}
