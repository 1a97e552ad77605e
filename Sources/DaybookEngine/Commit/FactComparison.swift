import DaybookModel

/// Compares facts in two states: commits in between that cancel out have changed nothing.
package struct FactComparison {
  let old: Reader
  let new: Reader

  package init(old: Reader, new: Reader) {
    self.old = old
    self.new = new
  }

  package func isSame(_ fact: Fact) throws -> Bool {
    switch fact {
    case .existence(let id): try isSame(id)
    case .mention(let id): try (old.find(id) == nil) == (new.find(id) == nil)
    case .attribute(let id, let tag): try old.value(tag, of: id) == new.value(tag, of: id)
    case .target(let id, let tag): try isSameTarget(of: id, tag)
    case .link(let link): try isSameLink(link)
    }
  }

  /// Whether an object is missing in both states, or has the same values and targets in both.
  private func isSame(_ id: ObjectID) throws -> Bool {
    guard let key = try new.find(id) else { return try old.find(id) == nil }
    let entity = new.model.entities[key.entity]
    for attribute in entity.attributes where !attribute.isRetired && attribute.derivation == nil {
      guard try old.value(attribute.tag, of: id) == new.value(attribute.tag, of: id) else { return false }
    }
    for relationship in entity.relationships where !relationship.isRetired {
      let tag = relationship.tag
      guard try old.targets(tag, of: id) == new.targets(tag, of: id) else { return false }
    }
    return try old.find(id) != nil
  }

  private func isSameTarget(of id: ObjectID, _ tag: Tag) throws -> Bool {
    let target = try new.targets(tag, of: id)?.first
    guard try old.targets(tag, of: id)?.first == target else { return false }
    return try target.map { try isSamePlace(of: LinkIdentity(owner: id, relationship: tag, target: $0)) } ?? true
  }

  private func isSameLink(_ link: LinkIdentity) throws -> Bool {
    let isLinked = try new.has(link)
    return try old.has(link) == isLinked && (!isLinked || isSamePlace(of: link))
  }

  /// Whether a link of both states has the same place relative to targets in both states.
  func isSamePlace(of link: LinkIdentity) throws -> Bool {
    guard let side = try orderedSide(of: link), let before = try old.targets(side.tag, of: side.source),
      let now = try new.targets(side.tag, of: side.source)
    else { return true }
    func precedents(in list: [ObjectID], among others: [ObjectID]) -> Set<ObjectID> {
      Set(list.prefix { $0 != side.item }).intersection(others)
    }
    return precedents(in: before, among: now) == precedents(in: now, among: before)
  }

  /// Returns the ordered side of a link: its source and the item in the list, or `nil` if none.
  func orderedSide(of link: LinkIdentity) throws -> (source: ObjectID, tag: Tag, item: ObjectID)? {
    guard let reference = new.model.relationship(tagged: link.relationship) else { return nil }
    if new.model[reference].isOrdered { return (link.owner, link.relationship, link.target) }
    let inverse = new.model[new.model.inverse(of: reference)]
    return inverse.isOrdered ? (link.target, inverse.tag, link.owner) : nil
  }
}

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
