import DaybookModel
import DaybookQuery

extension ResolvedRequest {
  /// Returns the watches for every value that the request reaches.
  ///
  /// The request reaches values by its filter, order, sections and shown values, also through relationships and derived
  /// attributes.
  package func watches(in model: ResolvedModel) -> Set<Watch> {
    var watches: Set<Watch> = [Watch(trigger: .existence(entity: entity), wayBack: [])]
    for path in terms.map(\.path) + statePaths {
      var wayBack: [RelationshipReference] = []
      for step in path.steps {
        watches.insert(Watch(trigger: .link(step.relationship), wayBack: wayBack))
        wayBack.insert(model.inverse(of: step.relationship), at: 0)
      }
      switch path.field {
      case .id, .createdAt: break
      case .changedAt: watches.insert(Watch(trigger: .subject(entity: path.end), wayBack: wayBack))
      case .target(let number), .place(let number, _):
        let reference = RelationshipReference(entity: path.end, relationship: number)
        watches.insert(Watch(trigger: .link(reference), wayBack: wayBack))
      case .attribute(let number):
        ResolvedRequest.add(number, of: path.end, wayBack, to: &watches, in: model)
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
