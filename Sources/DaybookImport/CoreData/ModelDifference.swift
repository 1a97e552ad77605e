#if Import

/// A difference between two models, such as the XML and the model that a store carries.
package struct ModelDifference: Hashable, Sendable {
  /// The entity or field.
  package let place: String
  package let text: String

  /// Returns the differences in what both forms of a model have: entities, fields and their declarations.
  ///
  /// The order, names of classes, indexes, constraints and limits are compiled in other ways, so they are not compared.
  package static func differences(_ a: SourceModel, _ b: SourceModel) -> [ModelDifference] {
    let first = Dictionary(a.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let second = Dictionary(b.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return Set(first.keys).union(second.keys).sorted().flatMap { name -> [ModelDifference] in
      guard let a = first[name] else { return [ModelDifference(place: name, text: "an entity of the second only")] }
      guard let b = second[name] else { return [ModelDifference(place: name, text: "an entity of the first only")] }
      return differences(a, b)
    }
  }

  private static func differences(_ a: SourceEntity, _ b: SourceEntity) -> [ModelDifference] {
    let own = [
      ("parent", a.parent ?? "none", b.parent ?? "none"), ("abstract", "\(a.isAbstract)", "\(b.isAbstract)"),
      ("renaming identifier", a.renamingIdentifier ?? "none", b.renamingIdentifier ?? "none"),
    ].filter { $0.1 != $0.2 }.map { ModelDifference(place: a.name, text: "\($0.0) \($0.1) / \($0.2)") }
    let attributes = fieldDifferences(a.name, a.attributes, b.attributes, \.name, comparable)
    let relationships = fieldDifferences(a.name, a.relationships, b.relationships, \.name, comparable)
    return own + attributes + relationships
  }

  private static func fieldDifferences<Field>(
    _ entity: String, _ a: [Field], _ b: [Field], _ name: KeyPath<Field, String>, _ facts: (Field) -> [String: String]
  ) -> [ModelDifference] {
    let first = Dictionary(a.map { ($0[keyPath: name], $0) }, uniquingKeysWith: { first, _ in first })
    let second = Dictionary(b.map { ($0[keyPath: name], $0) }, uniquingKeysWith: { first, _ in first })
    return Set(first.keys).union(second.keys).sorted().flatMap { key -> [ModelDifference] in
      let place = "\(entity).\(key)"
      guard let a = first[key].map(facts), let b = second[key].map(facts) else {
        let side = first[key] == nil ? "second" : "first"
        return [ModelDifference(place: place, text: "a field of the \(side) only")]
      }
      return a.keys.sorted().filter { a[$0] != b[$0] }.map {
        ModelDifference(place: place, text: "\($0) \(a[$0] ?? "none") / \(b[$0] ?? "none")")
      }
    }
  }

  private static func comparable(_ attribute: SourceAttribute) -> [String: String] {
    [
      "type": attribute.type.name, "optional": "\(attribute.isOptional)", "transient": "\(attribute.isTransient)",
      "default": attribute.defaultValue?.text ?? "none", "external": "\(attribute.isExternal)",
      "derivation": attribute.derivation ?? "none", "renaming identifier": attribute.renamingIdentifier ?? "none",
    ]
  }

  private static func comparable(_ relationship: SourceRelationship) -> [String: String] {
    [
      "destination": relationship.destination, "to-many": "\(relationship.isToMany)",
      "ordered": "\(relationship.isOrdered)", "inverse": relationship.inverse ?? "none",
      "optional": "\(relationship.isOptional)", "transient": "\(relationship.isTransient)",
      "delete rule": relationship.deleteRule.name,
      "renaming identifier": relationship.renamingIdentifier ?? "none",
    ]
  }
}

#endif
