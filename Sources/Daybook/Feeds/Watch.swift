import DaybookModel
import DaybookQuery

/// A kind of change that can affect a request's rows, and the way from object to rows.
struct Watch: Hashable {
  let trigger: Trigger
  /// Relationships to follow from the changed object to the rows; empty if it is the row.
  let wayBack: [RelationshipReference]

  /// A kind of change of an object, as events record it.
  enum Trigger: Hashable {
    /// The object was inserted or deleted.
    case existence(entity: Int)
    /// A stored attribute was set to another value.
    case attribute(entity: Int, number: Int)
    /// A link of this relationship was added, removed or moved.
    case link(RelationshipReference)
    /// The object was the subject of an event.
    case subject(entity: Int)
  }
}

/// A request's watches by trigger.
struct WatchTable {
  let waysBack: [Watch.Trigger: [[RelationshipReference]]]

  init(_ watches: some Sequence<Watch>) {
    waysBack = Dictionary(grouping: watches, by: \.trigger).mapValues { $0.map(\.wayBack) }
  }
}

extension ResolvedRequest {
  /// Returns the watches for every value that the request reaches.
  ///
  /// The request reaches values by its filter, order, sections and shown values, also through relationships and derived
  /// attributes.
  func watches(in model: ResolvedModel) -> Set<Watch> {
    var watches: Set<Watch> = [Watch(trigger: .existence(entity: entity), wayBack: [])]
    for route in routes + stateRoutes {
      var wayBack: [RelationshipReference] = []
      for step in route.steps {
        watches.insert(Watch(trigger: .link(step.relationship), wayBack: wayBack))
        wayBack.insert(model.inverse(of: step.relationship), at: 0)
      }
      switch route.field {
      case .id, .createdAt: break
      case .changedAt: watches.insert(Watch(trigger: .subject(entity: route.end), wayBack: wayBack))
      case .target(let number), .place(let number, _):
        let reference = RelationshipReference(entity: route.end, relationship: number)
        watches.insert(Watch(trigger: .link(reference), wayBack: wayBack))
      case .attribute(let number):
        ResolvedRequest.add(number, of: route.end, wayBack, to: &watches, in: model)
      }
    }
    return watches
  }

  private static func add(
    _ number: Int, of entity: Int, _ wayBack: [RelationshipReference], to watches: inout Set<Watch>,
    in model: ResolvedModel
  ) {
    guard let derivation = model.entities[entity].attributes[number].derivation else {
      watches.insert(Watch(trigger: .attribute(entity: entity, number: number), wayBack: wayBack))
      return
    }
    let reference = RelationshipReference(entity: entity, relationship: derivation.relationship)
    watches.insert(Watch(trigger: .link(reference), wayBack: wayBack))
    guard let source = derivation.attribute else { return }
    add(source, of: model[reference].target, [model.inverse(of: reference)] + wayBack, to: &watches, in: model)
  }
}

extension ResolvedModel {
  /// Returns the other side of a relationship.
  func inverse(of reference: RelationshipReference) -> RelationshipReference {
    let relationship = self[reference]
    return RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
  }
}
