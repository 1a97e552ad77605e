import DaybookModel

/// The views and derived values of a model that depend on each field and link.
///
/// They are computed once for a model.
///
/// It is a class, because every reader and every fold holds it: as a struct, each copy of a reader or fold would retain
/// all its parts.
package final class ModelUses: Sendable {
  /// A view that reaches a field, and the way from the field's object to the view's objects.
  struct ViewUse: Sendable, Hashable {
    /// The number of the view's entity.
    let entity: Int
    /// The number of the view in the entity.
    let view: Int
    /// Relationships to follow from the field's object to the view's; empty for its own views.
    let wayBack: [RelationshipReference]
  }

  /// A derived attribute that is computed from an attribute of related objects.
  struct DerivedUse: Sendable, Hashable {
    /// The relationship from the attribute's object to the objects that derive from it.
    let wayBack: RelationshipReference
    /// The number of the derived attribute.
    let attribute: Int
  }

  struct EntityUses: Sendable {
    /// The views that reach an attribute, by its number.
    var attributes: [[ViewUse]]
    /// The views that reach the target of a to-one relationship, by its number.
    var targets: [[ViewUse]]
    var changedAt: [ViewUse] = []
    /// The derived attributes that read an attribute, by its number.
    var derivedFromAttributes: [[DerivedUse]]
    /// The derived attributes of this entity over a relationship, by the relationship's number.
    var derivedOverLinks: [[Int]]

    fileprivate init(noneOf entity: ResolvedEntity) {
      attributes = Array(repeating: [], count: entity.attributes.count)
      targets = Array(repeating: [], count: entity.relationships.count)
      derivedFromAttributes = Array(repeating: [], count: entity.attributes.count)
      derivedOverLinks = Array(repeating: [], count: entity.relationships.count)
    }
  }

  let entities: [EntityUses]
  /// The parts of the model that the hot paths use, as plain values.
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
      append(
        ViewUse(entity: entity, view: view, wayBack: wayBack), to: \.targets[step.relationship.relationship],
        of: current)
      wayBack.insert(model.inverse(of: step.relationship), at: 0)
      current = step.target
    }
    let use = ViewUse(entity: entity, view: view, wayBack: wayBack)
    switch path.field {
    case .attribute(let number): append(use, to: \.attributes[number], of: current)
    case .target(let number): append(use, to: \.targets[number], of: current)
    case .changedAt: append(use, to: \.changedAt, of: current)
    // An id and a creation time do not change while the object lives, and no links lead to a deleted object.
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
