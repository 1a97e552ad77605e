import DaybookModel

/// The subject of an event's change: an attribute, a link, or the existence of an object.
package enum Fact: Hashable {
  /// The object was inserted or deleted.
  case existence(ObjectID)
  /// An event named the object in another way.
  case mention(ObjectID)
  case attribute(ObjectID, Tag)
  /// The target of a to-one relationship, named from the owner.
  case target(ObjectID, Tag)
  /// One link of a to-many relationship.
  case link(ObjectID, Tag, ObjectID)
}

extension Fact {
  /// The objects that the fact is about.
  package var objects: Set<ObjectID> {
    switch self {
    case .existence(let id), .mention(let id), .attribute(let id, _), .target(let id, _): [id]
    case .link(let id, _, let target): [id, target]
    }
  }
}

/// The facts of some commits, used to find later events that prevent undoing them.
package struct TouchedFacts {
  private var facts: [ObjectID: Set<Fact>] = [:]

  package init() {}

  package mutating func take(_ event: EventView, in model: ResolvedModel) throws {
    for fact in try event.facts(in: model) { for id in fact.objects { facts[id, default: []].insert(fact) } }
  }

  /// Returns the facts that undoing would change or need, and that an event may have changed.
  ///
  /// These are the same attribute or link; all facts about an object that undoing deletes or inserts again; and all
  /// facts of the commits about an object that the event inserted or deleted.
  package func facts(touchedBy event: EventView, in model: ResolvedModel) throws -> Set<Fact> {
    var touched: Set<Fact> = []
    for fact in try event.facts(in: model) {
      switch fact {
      case .attribute(let id, _), .target(let id, _), .link(let id, _, _):
        if contains(fact, id) { touched.insert(fact) }
      case .existence(let id): touched.formUnion(facts[id] ?? [])
      case .mention(let id): if contains(.existence(id), id) { touched.insert(.existence(id)) }
      }
    }
    return touched
  }

  private func contains(_ fact: Fact, _ id: ObjectID) -> Bool { facts[id]?.contains(fact) ?? false }
}
