import DaybookModel

/// Which views and derived values must be looked at when a field or a link changes, computed once for a model.
///
/// A class, because every reader and every fold holds it: as a struct, each copy of one of them retained all its parts.
package final class ModelUses: Sendable {
  /// A view that reaches a field, and the way back from the field's object to the objects in the view.
  struct ViewUse: Sendable, Hashable {
    /// The number of the view's entity.
    let entity: Int
    /// The number of the view there.
    let view: Int
    /// Relationships to follow from the field's object to the view's; empty for its own views.
    let wayBack: [RelationshipReference]
  }

  /// A derived attribute that is computed from an attribute of the objects it relates to.
  struct DerivedUse: Sendable, Hashable {
    /// The relationship that leads from the attribute's object to those that derive from it.
    let wayBack: RelationshipReference
    /// The number of the derived attribute.
    let attribute: Int
  }

  struct EntityUses: Sendable {
    /// By the number of the attribute.
    var attributes: [[ViewUse]]
    /// By the number of the relationship, which is to-one.
    var targets: [[ViewUse]]
    var changedAt: [ViewUse] = []
    /// By the number of the attribute that is read.
    var derivedFromAttributes: [[DerivedUse]]
    /// By the number of the relationship: the derived attributes of the same entity that count or read its targets.
    var derivedOverLinks: [[Int]]

    fileprivate init(noneOf entity: ResolvedEntity) {
      attributes = Array(repeating: [], count: entity.attributes.count)
      targets = Array(repeating: [], count: entity.relationships.count)
      derivedFromAttributes = Array(repeating: [], count: entity.attributes.count)
      derivedOverLinks = Array(repeating: [], count: entity.relationships.count)
    }
  }

  let entities: [EntityUses]
  /// The model and what of it is in use, for the hot paths.
  let shape: ModelShape

  package init(_ model: ResolvedModel) {
    entities = [EntityUses](usesOf: model)
    shape = ModelShape(model, entities)
  }
}

extension [ModelUses.EntityUses] {
  fileprivate typealias ViewUse = ModelUses.ViewUse
  fileprivate typealias EntityUses = ModelUses.EntityUses
  fileprivate typealias DerivedUse = ModelUses.DerivedUse

  fileprivate init(usesOf model: ResolvedModel) {
    self = model.entities.map(EntityUses.init(noneOf:))
    for entity in model.entities where !entity.isRetired {
      for (index, view) in entity.views.enumerated() {
        for term in view.terms { add(term.path, entity: entity.index, view: index, model: model) }
      }
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isRetired {
        if let derivation = attribute.derivation { add(derivation, entity: entity, attribute: index) }
      }
    }
  }

  private mutating func add(_ path: ResolvedPath, entity: Int, view: Int, model: ResolvedModel) {
    var wayBack: [RelationshipReference] = []
    var current = entity
    for step in path.steps {
      append(ViewUse(entity: entity, view: view, wayBack: wayBack), to: \.targets[step.relationship], of: current)
      let relationship = model[step]
      wayBack.insert(RelationshipReference(entity: relationship.target, relationship: relationship.inverse), at: 0)
      current = relationship.target
    }
    let use = ViewUse(entity: entity, view: view, wayBack: wayBack)
    switch path.field {
    case .attribute(let number): append(use, to: \.attributes[number], of: current)
    case .target(let number): append(use, to: \.targets[number], of: current)
    case .changedAt: append(use, to: \.changedAt, of: current)
    // Neither changes while the object lives, and an object that is deleted has no links left that lead to it.
    case .id, .createdAt, .place: break
    }
  }

  private mutating func append(
    _ use: ViewUse, to list: WritableKeyPath<EntityUses, [ViewUse]>, of entity: Int
  ) {
    if !self[entity][keyPath: list].contains(use) { self[entity][keyPath: list].append(use) }
  }

  private mutating func add(_ derivation: ResolvedDerivation, entity: ResolvedEntity, attribute: Int) {
    self[entity.index].derivedOverLinks[derivation.relationship].append(attribute)
    guard let source = derivation.attribute else { return }
    let relationship = entity.relationships[derivation.relationship]
    let wayBack = RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
    self[relationship.target].derivedFromAttributes[source].append(
      DerivedUse(wayBack: wayBack, attribute: attribute))
  }
}
