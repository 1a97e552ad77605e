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
  private var entities: [String: Entity] = [:]
  private var relationships: [Side: Relationship] = [:]
  private var owners: Set<Side> = []
  /// The names of an entity's relationships in the order in which the store first saw them.
  package private(set) var order: [String: [String]] = [:]

  package init(_ model: Model) {
    self.model = model
    take(model)
  }

  /// The names of parts that a model renames, by their former names.
  package struct Renames {
    private var entities: [String: String] = [:]
    private var fields: [Side: String] = [:]

    /// - Parameter old: The model before.
    init(from old: ReferenceModel, to model: Model) {
      for entity in model.entities {
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
    var order: [String: [String]] = [:]
    for (entity, names) in self.order {
      order[renames.entity(entity)] = names.map { renames.field($0, of: entity) }
    }
    self.order = order
    self.model = model
    take(model)
    // A pair keeps its owner, whichever side the new model declares first.
    for side in self.owners where owners.contains(inverse(of: side)) && relationships[side] != nil {
      self.owners.remove(side)
      self.owners.insert(inverse(of: side))
    }
    return renames
  }

  private mutating func take(_ model: Model) {
    (entities, relationships, owners) = ([:], [:], [])
    var rank: [Side: Int] = [:]
    for entity in model.entities {
      entities[entity.name] = entity
      for relationship in entity.relationships {
        let side = Side(entity.name, relationship.name)
        relationships[side] = relationship
        rank[side] = rank.count
        if !order[entity.name, default: []].contains(relationship.name) {
          order[entity.name, default: []].append(relationship.name)
        }
      }
      order[entity.name, default: []].removeAll { relationships[Side(entity.name, $0)] == nil }
    }
    for (side, here) in relationships {
      let other = inverse(of: side)
      guard let there = relationships[other] else { continue }
      let isOwner =
        here.isMany != there.isMany
        ? !here.isMany : here.isOrdered != there.isOrdered ? here.isOrdered : rank[side]! < rank[other]!
      if isOwner { owners.insert(side) }
    }
  }

  package func entity(_ name: String) -> Entity? { entities[name] }
  package func relationship(_ side: Side) -> Relationship? { relationships[side] }
  package func isOwner(_ side: Side) -> Bool { owners.contains(side) }

  package func inverse(of side: Side) -> Side {
    let relationship = relationships[side]!
    return Side(relationship.target, relationship.inverse)
  }

  /// Returns the sides of an entity, in the order in which the store first saw them.
  package func sides(of entity: String) -> [Side] { order[entity, default: []].map { Side(entity, $0) } }

  package func event(_ name: String) -> EventType? { model.events.first { $0.name == name } }

  package func attribute(_ name: String, of entity: String) -> Attribute? {
    entities[entity]?.attributes.first { $0.name == name }
  }
}
