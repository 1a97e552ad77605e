import DaybookModel
import DaybookQuery

/// A dependency on a kind of change: the trigger, and the inverse path from the changed object to the dependents.
///
/// The dependents are what must be updated after the change: rows of an index, values of a derived attribute, or rows of
/// a followed request. Each of them reads a value at the end of a path, so it depends on every link of the path and on
/// the field at its end. The fold finds its dependents in the flat tables of ``Dependents``, a followed request finds
/// its rows in ``RequestDependents``; both are made from these dependencies.
package struct Dependency: Hashable, Sendable {
  package let trigger: Trigger
  /// Relationships to follow from the changed object to the dependents; empty if it is the dependent itself.
  package let inversePath: [RelationshipReference]

  package init(_ trigger: Trigger, inversePath: [RelationshipReference] = []) {
    self.trigger = trigger
    self.inversePath = inversePath
  }

  /// A kind of change of an object, as events record it.
  package enum Trigger: Hashable, Sendable {
    /// The object was inserted or deleted.
    case existence(entity: Int)
    /// An attribute was set to another value.
    case attribute(entity: Int, number: Int)
    /// A link of this relationship was added, removed or moved.
    case link(RelationshipReference)
    /// The object was the subject of an event.
    case subject(entity: Int)
  }
}

extension Dependency {
  /// Returns the dependencies of the value at the end of a path.
  ///
  /// The value of a derived attribute is a trigger like any other; ``recorded(of:in:)`` returns the triggers before it.
  static func direct(of path: ResolvedPath, in model: ResolvedModel) -> [Dependency] {
    var dependencies: [Dependency] = []
    var inversePath: [RelationshipReference] = []
    /// Adds what the value depends on because a link is followed, and the way back over the link.
    ///
    /// - Parameter reference: The relationship of the entity where the step begins, which may inherit it.
    func follow(_ reference: RelationshipReference) {
      dependencies.append(Dependency(.link(reference), inversePath: inversePath))
      guard model[reference].isSoft else { return }
      let wayBack = [model.inverse(of: reference)] + inversePath
      dependencies.append(Dependency(.existence(entity: model[reference].target), inversePath: wayBack))
    }
    for (number, step) in path.steps.enumerated() {
      follow(
        RelationshipReference(entity: path.place(ofStep: number), relationship: step.relationship.relationship))
      inversePath.insert(model.inverse(of: step.relationship), at: 0)
    }
    let trigger: Trigger
    switch path.field {
    // An id, an entity and a creation time do not change while the object lives, and no links lead to a deleted object.
    case .id, .createdAt, .entity: return dependencies
    case .changedAt: trigger = .subject(entity: path.end)
    case .target(let number) where !model.entities[path.end].isKey(relationship: number):
      follow(RelationshipReference(entity: path.end, relationship: number))
      return dependencies
    case .target(let number), .place(let number, _):
      trigger = .link(RelationshipReference(entity: path.end, relationship: number))
    case .attribute(let number): trigger = .attribute(entity: path.end, number: number)
    }
    return dependencies + [Dependency(trigger, inversePath: inversePath)]
  }

  /// Returns the dependencies of a derived attribute of an entity.
  static func direct(of derivation: ResolvedDerivation, entity: Int, in model: ResolvedModel) -> [Dependency] {
    let reference = RelationshipReference(entity: entity, relationship: derivation.relationship)
    let link = Dependency(.link(reference))
    guard let source = derivation.attribute else { return [link] }
    let value = Dependency(
      .attribute(entity: model[reference].target, number: source), inversePath: [model.inverse(of: reference)])
    return [link, value]
  }

  /// Returns the dependencies of the value at the end of a path on what events record.
  ///
  /// Events record no derived values, so the dependencies of a derived attribute take its place.
  static func recorded(of path: ResolvedPath, in model: ResolvedModel) -> [Dependency] {
    direct(of: path, in: model).flatMap { $0.recorded(in: model) }
  }

  /// Returns the dependencies of a request's rows on what events record.
  ///
  /// The request reads values by its filter, order, sections and shown values, also through relationships and derived
  /// attributes.
  package static func recorded(of request: ResolvedRequest, in model: ResolvedModel) -> Set<Dependency> {
    let request = request.objects
    let paths = request.terms.map(\.path) + request.statePaths
    let dependencies = paths.flatMap { recorded(of: $0, in: model) } + [Dependency(.existence(entity: request.entity))]
    return Set(
      dependencies.flatMap { dependency in
        dependency.trigger.triggers(in: model).map { Dependency($0, inversePath: dependency.inversePath) }
      })
  }

  private func recorded(in model: ResolvedModel) -> [Dependency] {
    guard case .attribute(let entity, let number) = trigger,
      let derivation = model.entities[entity].attributes[number].derivation
    else { return [self] }
    return Dependency.direct(of: derivation, entity: entity, in: model).flatMap { part in
      Dependency(part.trigger, inversePath: part.inversePath + inversePath).recorded(in: model)
    }
  }
}

extension Dependency.Trigger {
  /// The triggers of the changes that events record, of an object of an entity or of a descendant of it.
  ///
  /// An event that sets a field, or the end of a link, does not show which entity of a hierarchy the object has: such
  /// changes have the entity that declares the field (``recorded(in:)``). The rows of a request for a descendant are
  /// found from objects of others too, and these are found not to be its rows when they are read.
  func triggers(in model: ResolvedModel) -> [Dependency.Trigger] {
    switch self {
    case .attribute, .link: return [recorded(in: model)]
    case .existence(let entity): return model.members(of: entity).map { .existence(entity: $0) }
    case .subject(let entity): return model.members(of: entity).map { .subject(entity: $0) }
    }
  }

  /// The trigger as changes have it: of the entity that declares the field.
  func recorded(in model: ResolvedModel) -> Dependency.Trigger {
    switch self {
    case .attribute(let entity, let number):
      .attribute(entity: model.entities[entity].attributes[number].entity, number: number)
    case .link(let reference): .link(model.declaring(reference))
    case .existence, .subject: self
    }
  }
}
