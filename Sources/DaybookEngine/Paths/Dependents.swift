import DaybookModel

/// The indexes and derived values of a model that depend on each field and link, in flat tables for the fold.
///
/// They are computed once for a model.
///
/// It is a class, because every reader and every fold holds it: as a struct, each copy of a reader or fold would retain
/// all its parts.
package final class Dependents: Sendable {
  /// The rows of an index, or the groups of a declaration, that depend on a change.
  struct IndexRows: Sendable, Hashable {
    /// The number of the index's entity.
    let entity: Int
    /// The number of the index in the entity and its descendants, or of the declared groups.
    let index: Int
    var areGroups = false
    /// Relationships to follow from the changed object to the objects of the rows; empty for its own row.
    let inversePath: [RelationshipReference]
  }

  /// The values of a derived attribute that depend on an attribute of related objects.
  struct DerivedValues: Sendable, Hashable {
    /// The relationship from the attribute's object to the objects that derive from it.
    let inverse: RelationshipReference
    /// The number of the entity that declares the derived attribute.
    let entity: Int
    /// The number of the derived attribute.
    let attribute: Int
  }

  /// What depends on the fields and links, own and inherited, of the objects of one entity.
  struct EntityDependents: Sendable {
    /// The index rows that depend on an attribute, by its number.
    fileprivate(set) var attributes: [[IndexRows]]
    /// The index rows that depend on the target of a to-one relationship, by its number.
    fileprivate(set) var targets: [[IndexRows]]
    fileprivate(set) var changedAt: [IndexRows] = []
    /// The index rows that depend on the existence of an object to which a soft link leads.
    fileprivate(set) var existence: [IndexRows] = []
    /// The derived values that depend on an attribute, by its number.
    fileprivate(set) var derivedFromAttributes: [[DerivedValues]]
    /// The derived attributes of this entity over a relationship, by the relationship's number.
    fileprivate(set) var derivedOverLinks: [[Int]]

    /// All index rows that depend on the entity.
    fileprivate var indexRows: [IndexRows] { Array(attributes.joined()) + targets.joined() + changedAt + existence }

    fileprivate init(noneOf entity: ResolvedEntity) {
      attributes = Array(repeating: [], count: entity.attributes.count)
      targets = Array(repeating: [], count: entity.relationships.count)
      derivedFromAttributes = Array(repeating: [], count: entity.attributes.count)
      derivedOverLinks = Array(repeating: [], count: entity.relationships.count)
    }
  }

  let entities: [EntityDependents]
  /// The parts of the model that the hot paths use, as plain values.
  let flatModel: FlatModel
  /// The rules that commits are checked by.
  package let rules: ModelRules

  /// Whether rows of derived entities depend on stored objects.
  package let derivedRowsFollowStored: Bool

  package init(_ model: ResolvedModel) {
    rules = ModelRules(model)
    entities = [EntityDependents](in: model)
    derivedRowsFollowStored = zip(model.entities, entities).contains { entity, dependents in
      !entity.isDerived && dependents.indexRows.contains { model.entities[$0.entity].isDerived }
    }
    flatModel = FlatModel(model, entities)
  }
}

private extension [Dependents.EntityDependents] {
  init(in model: ResolvedModel) {
    self = model.entities.map(Dependents.EntityDependents.init(noneOf:))
    for entity in model.entities where !entity.isRetired {
      for (number, index) in entity.indexes.enumerated() where number >= entity.inheritedCounts.indexes {
        add(index.terms.map(\.path), of: entity, number, in: model)
      }
      for (number, groups) in entity.groups.enumerated() where number >= entity.inheritedCounts.groups {
        add(groups.keys.map(\.path) + groups.values.compactMap(\.path), of: entity, number, areGroups: true, in: model)
      }
      for number in entity.ownAttributes where !entity.attributes[number].isRetired {
        guard let derivation = entity.attributes[number].derivation else { continue }
        for dependency in Dependency.direct(of: derivation, entity: entity.index, in: model) {
          add(derived: number, of: entity.index, dependency, in: model)
        }
      }
    }
  }

  /// Adds the rows of an index, or groups, that depend on paths.
  private mutating func add(
    _ paths: [ResolvedPath], of entity: ResolvedEntity, _ number: Int, areGroups: Bool = false, in model: ResolvedModel
  ) {
    for dependency in paths.flatMap({ Dependency.direct(of: $0, in: model) }) {
      let rows = Dependents.IndexRows(
        entity: entity.index, index: number, areGroups: areGroups, inversePath: dependency.inversePath)
      add(rows, at: dependency.trigger, in: model)
    }
  }

  /// Adds rows to the lists of a trigger, of its entity and of the descendants; several terms of an index may have the
  /// same trigger.
  mutating func add(_ rows: Dependents.IndexRows, at trigger: Dependency.Trigger, in model: ResolvedModel) {
    let entity: Int
    let list: WritableKeyPath<Element, [Dependents.IndexRows]>
    switch trigger {
    case .attribute(let owner, let number): (entity, list) = (owner, \.attributes[number])
    case .link(let reference): (entity, list) = (reference.entity, \.targets[reference.relationship])
    case .subject(let owner): (entity, list) = (owner, \.changedAt)
    // The keys of an object's own rows are taken when it is deleted.
    case .existence where rows.inversePath.isEmpty: return
    case .existence(let owner): (entity, list) = (owner, \.existence)
    }
    for member in model.members(of: entity) where !self[member][keyPath: list].contains(rows) {
      self[member][keyPath: list].append(rows)
    }
  }

  mutating func add(
    derived attribute: Int, of owner: Int, _ dependency: Dependency, in model: ResolvedModel
  ) {
    switch dependency.trigger {
    case .link(let reference):
      for member in model.members(of: reference.entity) {
        self[member].derivedOverLinks[reference.relationship].append(attribute)
      }
    case .attribute(let entity, let number):
      let values = Dependents.DerivedValues(inverse: dependency.inversePath[0], entity: owner, attribute: attribute)
      for member in model.members(of: entity) { self[member].derivedFromAttributes[number].append(values) }
    case .subject, .existence: return
    }
  }
}
