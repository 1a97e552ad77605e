import DaybookModel

/// A model in the form of the reference store: by names alone.
package struct ReferenceModel: Sendable {
  /// One side of a relationship.
  package struct Side: Hashable, Sendable {
    package let entity: String
    package let name: String

    package init(_ entity: String, _ name: String) {
      self.entity = entity
      self.name = name
    }
  }

  package private(set) var model: Model
  /// The model with the fields of ancestors in each entity.
  package private(set) var whole: Model
  /// The entities with the fields of their ancestors.
  private var entities: [String: Entity] = [:]
  /// The names of an entity and its ancestors.
  private var lineages: [String: [String]] = [:]
  /// The relationships by the entities that declare them.
  private var relationships: [Side: Relationship] = [:]
  private var owners: Set<Side> = []
  /// The declared relationships in the order in which the store first saw them.
  private var order: [Side] = []

  package init(_ model: Model) {
    (self.model, whole) = (model, model.whole)
    take(model)
  }

  /// The names of parts that a model renames, by their former names.
  package struct Renames {
    private var entities: [String: String] = [:]
    private var fields: [Side: String] = [:]

    /// - Parameter old: The model before.
    init(from old: ReferenceModel, to model: Model) {
      for entity in model.whole.entities {
        let former = entity.renamedFrom ?? entity.name
        entities[former] = entity.name
        guard old.entity(former) != nil else { continue }
        for attribute in entity.attributes {
          if let name = attribute.renamedFrom { fields[Side(former, name)] = attribute.name }
        }
        for relationship in entity.relationships {
          if let name = relationship.renamedFrom { fields[Side(former, name)] = relationship.name }
        }
      }
    }

    package func entity(_ name: String) -> String { entities[name] ?? name }

    /// Returns the new name of an attribute or relationship of an entity with a former name.
    package func field(_ name: String, of entity: String) -> String { fields[Side(entity, name)] ?? name }

    package func side(_ side: Side) -> Side { Side(entity(side.entity), field(side.name, of: side.entity)) }
  }

  /// Changes to another model; the former names in it are applied and forgotten.
  ///
  /// - Returns: What was renamed.
  @discardableResult
  package mutating func evolve(to model: Model) -> Renames {
    let renames = Renames(from: self, to: model)
    let model = model.withoutFormerNames
    let owners = Set(owners.map(renames.side))
    order = order.map(renames.side)
    (self.model, whole) = (model, model.whole)
    take(model)
    // A pair keeps its owner, whichever side the new model declares first.
    for side in self.owners where owners.contains(inverse(of: side)) && relationships[side] != nil {
      self.owners.remove(side)
      self.owners.insert(inverse(of: side))
    }
    return renames
  }

  private mutating func take(_ model: Model) {
    (entities, lineages, relationships, owners) = ([:], [:], [:], [])
    var rank: [Side: Int] = [:]
    for entity in whole.entities { entities[entity.name] = entity }
    for entity in model.entities {
      lineages[entity.name] = model.lineage(of: entity.name).map(\.name)
      for relationship in entity.relationships {
        let side = Side(entity.name, relationship.name)
        relationships[side] = relationship
        rank[side] = rank.count
        if !order.contains(side) { order.append(side) }
      }
    }
    order.removeAll { relationships[$0] == nil }
    for (side, here) in relationships {
      let other = inverse(of: side)
      guard let there = relationships[other] else { continue }
      let isOwner =
        here.isMany != there.isMany
        ? !here.isMany : here.isOrdered != there.isOrdered ? here.isOrdered : rank[side]! <= rank[other]!
      if isOwner { owners.insert(side) }
    }
  }

  /// Returns an entity with the fields of its ancestors.
  package func entity(_ name: String) -> Entity? { entities[name] }

  /// Returns whether the objects of an entity are objects of another one: of itself, or of an ancestor.
  package func isKind(_ entity: String, of other: String) -> Bool { lineages[entity]?.contains(other) ?? false }

  /// Returns the same side by the entity that declares it.
  package func declared(_ side: Side) -> Side {
    lineages[side.entity]?.lazy.map { Side($0, side.name) }.first { relationships[$0] != nil } ?? side
  }

  package func relationship(_ side: Side) -> Relationship? { relationships[declared(side)] }
  package func isOwner(_ side: Side) -> Bool { owners.contains(declared(side)) }

  /// Returns whether both objects show each link under one name.
  package func isMirrored(_ side: Side) -> Bool { inverse(of: side) == declared(side) }

  package func inverse(of side: Side) -> Side {
    let relationship = relationships[declared(side)]!
    return Side(relationship.target, relationship.inverse)
  }

  /// Returns the sides of an entity and its ancestors, in the order in which the store first saw them.
  package func sides(of entity: String) -> [Side] { order.filter { isKind(entity, of: $0.entity) } }

  package func event(_ name: String) -> EventType? { model.events.first { $0.name == name } }

  package func attribute(_ name: String, of entity: String) -> Attribute? {
    entities[entity]?.attributes.first { $0.name == name }
  }
}
