import DaybookModel

/// The facts of some commits, used to find later events that prevent undoing them.
package struct ChangedFacts {
  private var facts: [ObjectID: Set<Fact>] = [:]

  package init() {}

  package mutating func add(_ event: EventView, in model: ResolvedModel) throws {
    for fact in try EventSubjects(of: event).facts(in: model) {
      for id in fact.objects { facts[id, default: []].insert(fact) }
    }
  }

  /// Returns the facts that undoing would change or need, and that an event may have changed.
  ///
  /// These are the same attribute or link; all facts about an object that undoing deletes or inserts again; and all
  /// facts of the commits about an object that the event inserted or deleted.
  package func facts(changedBy event: EventView, in model: ResolvedModel) throws -> Set<Fact> {
    var changed: Set<Fact> = []
    for fact in try EventSubjects(of: event).facts(in: model) {
      switch fact {
      case .attribute(let id, _), .target(let id, _):
        if contains(fact, id) { changed.insert(fact) }
      case .link(let link): if contains(fact, link.owner) { changed.insert(fact) }
      case .existence(let id): changed.formUnion(facts[id] ?? [])
      case .mention(let id): if contains(.existence(id), id) { changed.insert(.existence(id)) }
      }
    }
    return changed
  }

  private func contains(_ fact: Fact, _ id: ObjectID) -> Bool { facts[id]?.contains(fact) ?? false }
}
