import DaybookModel

/// Which views and derived values must be looked at when a field or a link changes, computed once for a model.
package struct ModelUses: Sendable {
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
  }

  private(set) var entities: [EntityUses]
  /// The model and what of it is in use, for the hot paths.
  private(set) var shape = ModelShape()

  package init(_ model: ResolvedModel) {
    entities = model.entities.map {
      EntityUses(
        attributes: Array(repeating: [], count: $0.attributes.count),
        targets: Array(repeating: [], count: $0.relationships.count),
        derivedFromAttributes: Array(repeating: [], count: $0.attributes.count),
        derivedOverLinks: Array(repeating: [], count: $0.relationships.count))
    }
    for entity in model.entities where !entity.isRetired {
      for (index, view) in entity.views.enumerated() {
        for term in view.terms { add(term.path, entity: entity.index, view: index, model: model) }
      }
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isRetired {
        if let derivation = attribute.derivation { add(derivation, entity: entity, attribute: index) }
      }
    }
    shape = ModelShape(model, entities)
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
    if !entities[entity][keyPath: list].contains(use) { entities[entity][keyPath: list].append(use) }
  }

  private mutating func add(_ derivation: ResolvedDerivation, entity: ResolvedEntity, attribute: Int) {
    entities[entity.index].derivedOverLinks[derivation.relationship].append(attribute)
    guard let source = derivation.attribute else { return }
    let relationship = entity.relationships[derivation.relationship]
    let wayBack = RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
    entities[relationship.target].derivedFromAttributes[source].append(
      DerivedUse(wayBack: wayBack, attribute: attribute))
  }
}
