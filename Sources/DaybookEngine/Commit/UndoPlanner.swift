import DaybookModel

/// Makes an ``UndoPlan``: compares the facts of commits in three states.
struct UndoPlanner {
  let left: Reader
  let goal: Reader
  let now: Reader
  var result = UndoPlan()

  /// The objects that the commits inserted or deleted, the attributes and links that they changed; in the order of their
  /// events.
  private var objects = OrderedFacts<ObjectID>()
  private var attributes = OrderedFacts<AttributeFact>()
  private var links = OrderedFacts<LinkIdentity>()
  /// The facts of links that are planned.
  private var targets: Set<Fact> = []
  /// The planned changes of links that both objects may plan, because the relationship is its own inverse.
  private var mutualLinks: Set<MutualLink> = []
  /// The objects that the plan inserts, and those that it deletes.
  private var coming: Set<ObjectID> = []
  private var going: Set<ObjectID> = []

  private struct MutualLink: Hashable {
    let link: LinkIdentity
    let isMade: Bool
  }

  private struct AttributeFact: Hashable {
    let object: ObjectID
    let tag: Tag
  }

  init(left: Reader, goal: Reader, now: Reader) {
    (self.left, self.goal, self.now) = (left, goal, now)
  }

  private var model: ResolvedModel { now.model }

  /// Notes the facts of events; parts that the present model has removed cannot be written and are left out.
  mutating func collect(_ events: inout EventReader) throws {
    while !events.isAtEnd {
      let event = try events.next()
      guard event.kind != .unknown else {
        throw StoreError(
          .newerFormat, "An event of \(event.object) cannot be undone: a later version of Daybook wrote it.",
          advice: "Update Daybook.")
      }
      guard let number = model.entity(tagged: event.entity), !model.entities[number].isRetired else { continue }
      let entity = model.entities[number]
      var subjects = EventSubjects(of: event)
      while let subject = try subjects.next() {
        switch subject {
        case .existence: objects.insert(event.object)
        case .attribute(let tag):
          guard let attribute = entity.attribute(tagged: tag), !entity.attributes[attribute].isRetired else { continue }
          attributes.insert(AttributeFact(object: event.object, tag: tag))
        case .link(let tag, let from, let to):
          guard let reference = model.relationship(tagged: tag), !model[reference].isRetired else { continue }
          for target in [from, to] {
            guard let target else { continue }
            links.insert(LinkIdentity(owner: event.object, relationship: tag, target: target))
          }
        }
      }
    }
  }

  mutating func plan() throws {
    for id in objects.list { try planExistence(of: id) }
    for fact in attributes.list where !objects.contains(fact.object) {
      try planAttribute(fact.tag, of: fact.object)
    }
    for link in links.list { targets.formUnion(link.ownFacts(in: model)) }
    var planned: Set<Fact> = []
    for fact in links.list.flatMap({ $0.ownFacts(in: model) }) where planned.insert(fact).inserted {
      if case .target(let owner, let tag) = fact { try planTarget(tag, of: owner) }
      if case .link(let link) = fact { try planLink(link) }
    }
    // Objects are deleted last, when the links that would take others along are removed.
    for id in objects.list where going.contains(id) { result.changes.append(.delete(id)) }
  }
}

/// Objects and their values.
extension UndoPlanner {
  private mutating func planExistence(of id: ObjectID) throws {
    let isWanted = try goal.find(id) != nil
    switch ThreeWayComparison(base: try left.find(id) != nil, present: try now.find(id) != nil, wanted: isWanted) {
    case .unchanged, .reached: if isWanted { try planAllAttributes(of: id) }
    case .apply, .conflict:
      if isWanted { return try planInsertion(of: id) }
      going.insert(id)
      try checkUntouched(id)
    }
  }

  private mutating func planInsertion(of id: ObjectID) throws {
    guard let key = try goal.find(id), let entity = entity(of: goal.model.entities[key.entity].tag) else { return }
    var values: [(key: String, value: Value)] = []
    for attribute in entity.attributes where attribute.isWritable {
      values.append((attribute.name, try value(of: attribute, id, in: goal) ?? attribute.missingValue))
    }
    coming.insert(id)
    result.changes.append(.insert(id, entity: entity.name, values: values))
  }

  private mutating func planAllAttributes(of id: ObjectID) throws {
    guard let key = try goal.find(id), let entity = entity(of: goal.model.entities[key.entity].tag) else { return }
    for attribute in entity.attributes where attribute.isWritable { try planAttribute(attribute.tag, of: id) }
  }

  private mutating func planAttribute(_ tag: Tag, of id: ObjectID) throws {
    guard let key = try goal.find(id), let entity = entity(of: goal.model.entities[key.entity].tag),
      let attribute = entity.attribute(tagged: tag).map({ entity.attributes[$0] })
    else { return }
    let aim = try value(of: attribute, id, in: goal) ?? attribute.missingValue
    let former = try value(of: attribute, id, in: left)
    let present = try value(of: attribute, id, in: now)
    let comparison = ThreeWayComparison(base: former, present: present, wanted: aim)
    guard comparison.isWrite else { return }
    guard present != nil else { return noteGone(id, "its \(attribute.name) would be set") }
    if comparison == .conflict {
      note(
        .attribute(id, tag), id,
        "\(name(of: id)): \(attribute.name) is \(text(present, attribute)), and \(text(former, attribute)) was left")
    }
    result.changes.append(.set(id, attribute: attribute.name, value: aim))
  }

  /// Checks that an object to be deleted has no values and links but those that it was left with.
  private mutating func checkUntouched(_ id: ObjectID) throws {
    guard let key = try now.find(id) else { return }
    let entity = model.entities[key.entity]
    for attribute in entity.attributes where attribute.isWritable {
      let present = try value(of: attribute, id, in: now)
      // An attribute that a later model added has its default.
      let former = try left.value(attribute.tag, of: id) ?? attribute.missingValue
      guard ThreeWayComparison.isLost(base: former, present: present) else { continue }
      note(
        .attribute(id, attribute.tag), id,
        "\(name(of: id)) would be deleted, but its \(attribute.name) is \(text(present, attribute)), and \(text(former, attribute)) was left"
      )
    }
    for (number, relationship) in entity.relationships.enumerated() where !relationship.isRetired {
      let reference = RelationshipReference(entity: key.entity, relationship: number)
      let former = Set(try left.targets(relationship.tag, of: id) ?? [])
      for target in try now.targets(of: reference, from: id)
      where ThreeWayComparison.isLost(base: former.contains(target) ? target : nil, present: target) {
        let link = LinkIdentity(from: id, over: reference, to: target, in: model)
        note(
          link.ownerFact(in: model), id,
          "\(name(of: id)) would be deleted, but its \(relationship.name) leads to \(name(of: target)) now")
      }
    }
  }

  /// Returns the value of an attribute in a state, by the state's model; `nil` if the object does not exist there.
  private func value(of attribute: ResolvedAttribute, _ id: ObjectID, in reader: Reader) throws -> Value? {
    guard try reader.find(id) != nil else { return nil }
    return try reader.value(attribute.tag, of: id) ?? attribute.missingValue
  }
}

/// Links and places.
extension UndoPlanner {
  private mutating func planTarget(_ tag: Tag, of owner: ObjectID) throws {
    let former = try left.targets(tag, of: owner)?.first
    let aim = try goal.targets(tag, of: owner)?.first
    let present = try now.targets(tag, of: owner)?.first
    let comparison = ThreeWayComparison(base: former, present: present, wanted: aim)
    if comparison == .unchanged, let aim {
      try planPlace(of: LinkIdentity(owner: owner, relationship: tag, target: aim), isThere: present == aim)
    }
    guard comparison.isWrite, let reference = model.relationship(tagged: tag) else { return }
    let link = (aim ?? present).map { LinkIdentity(from: owner, over: reference, to: $0, in: model) }
    // Both objects of a link over a relationship that is its own inverse plan it; the second one adds its conflict alone.
    let isPlanned =
      link.map { link in
        model[reference].isMirrored
          && !mutualLinks.insert(MutualLink(link: link, isMade: aim != nil)).inserted
      } ?? true
    if let aim {
      let (isThere, isAimThere) = (try willExist(owner), try willExist(aim))
      if isPlanned, !isThere || !isAimThere { return }
      if !isThere { return noteGone(owner, "it would be related to \(name(of: aim))") }
      if !isAimThere { return noteGone(aim, "\(name(of: owner)) would be related to it") }
    }
    if comparison == .conflict, !going.contains(owner) {
      note(
        .target(owner, tag), owner,
        "\(name(of: owner)): \(relationshipName(tag)) is \(text(present)), and \(text(former)) was left")
    }
    guard let link, !isPlanned else { return }
    if aim != nil { try checkPartner(of: link, from: owner) }
    try add(aim == nil ? .unlink(link) : .link(link))
  }

  private mutating func planLink(_ link: LinkIdentity) throws {
    let (isAim, isThere) = (try goal.has(link), try now.has(link))
    // Of two states, one is the wanted one: a link without its place is never a conflict.
    let comparison = ThreeWayComparison(base: try left.has(link), present: isThere, wanted: isAim)
    if comparison == .unchanged, isAim { try planPlace(of: link, isThere: isThere) }
    guard comparison.isWrite else { return }
    guard isAim else { return try add(.unlink(link)) }
    guard try willExist(link.owner) else {
      return noteGone(link.owner, "it would be related to \(name(of: link.target))")
    }
    guard try willExist(link.target) else {
      return noteGone(link.target, "\(name(of: link.owner)) would be related to it")
    }
    try add(.link(link))
  }

  /// Plans the place of a link that the commit kept.
  private mutating func planPlace(of link: LinkIdentity, isThere: Bool) throws {
    let comparison = try ThreeWayComparison(
      isUnchanged: PlaceComparison(old: left, new: goal).isSamePlace(of: link),
      isReached: isThere && PlaceComparison(old: goal, new: now).isSamePlace(of: link),
      isUntouched: PlaceComparison(old: left, new: now).isSamePlace(of: link))
    guard comparison.isWrite else { return }
    for id in [link.owner, link.target] where try now.find(id) == nil {
      return noteGone(id, "its place would be changed")
    }
    guard isThere else {
      return note(
        link.ownerFact(in: model), link.owner,
        "\(name(of: link.owner)): \(relationshipName(link.relationship)) no longer leads to \(name(of: link.target)), whose place would be changed",
        isGone: true)
    }
    if comparison == .conflict {
      note(
        link.ownerFact(in: model), link.owner,
        "\(name(of: link.owner)): the place of \(relationshipName(link.relationship)) \(name(of: link.target)) is another one than was left"
      )
    }
    try add(.move(link))
  }

  /// Checks that the target of a one-to-one link to restore is as it was left, seen from its side: it would be taken
  /// from its present partner.
  ///
  /// - Parameter object: The object from which the link is restored. The other one may be planned by itself, if the
  ///   relationship is its own inverse.
  private mutating func checkPartner(of link: LinkIdentity, from object: ObjectID) throws {
    guard case .target(let target, let tag) = link.partnerFact(in: model) else { return }
    let (id, partner) = object == link.owner ? (target, link.owner) : (link.owner, target)
    guard !targets.contains(.target(id, tag)), try now.find(id) != nil else { return }
    let former = try left.targets(tag, of: id)?.first
    let present = try now.targets(tag, of: id)?.first
    guard ThreeWayComparison(base: former, present: present, wanted: partner) == .conflict else { return }
    let fact = Fact.target(id, tag)
    note(fact, id, "\(name(of: id)): \(relationshipName(tag)) is \(text(present)), and \(text(former)) was left")
  }

  private mutating func add(_ change: UndoPlan.Change) throws {
    result.changes.append(change)
    switch change {
    case .link(let link), .move(let link):
      guard let side = try PlaceComparison(old: goal, new: now).orderedSide(of: link) else { return }
      guard let reference = model.relationship(tagged: side.tag) else { return }
      let list = RestoredPlaces.List(reference: reference, source: side.source)
      if result.lists[list] == nil { result.lists[list] = try goal.targets(side.tag, of: side.source) ?? [] }
    default: return
    }
  }

  private func willExist(_ id: ObjectID) throws -> Bool {
    try coming.contains(id) || (now.find(id) != nil && !going.contains(id))
  }
}

/// Texts of conflicts.
extension UndoPlanner {
  private mutating func note(_ fact: Fact, _ id: ObjectID, _ text: String, isGone: Bool = false) {
    result.conflicts.append(UndoPlan.Conflict(facts: [fact], object: id, text: text, isGone: isGone))
  }

  private mutating func noteGone(_ id: ObjectID, _ what: String) {
    result.conflicts.append(
      UndoPlan.Conflict(facts: [.existence(id)], object: id, text: "\(name(of: id)) is gone, and \(what)", isGone: true)
    )
  }

  private func entity(of tag: Tag) -> ResolvedEntity? {
    model.entity(tagged: tag).map { model.entities[$0] }.flatMap { $0.isRetired ? nil : $0 }
  }

  private func name(of id: ObjectID) -> String {
    for reader in [now, left, goal] {
      // The name is only for a message, so an unreadable row, which a later read reports, leaves out the entity.
      if let key = try? reader.find(id) { return "\(reader.model.entities[key.entity].name) \(id)" }
    }
    return "\(id)"
  }

  private func relationshipName(_ tag: Tag) -> String {
    model.relationship(tagged: tag).map { model[$0].name } ?? "a relationship"
  }

  private func text(_ value: Value?, _ attribute: ResolvedAttribute) -> String {
    guard let value else { return "nothing" }
    if value.isNull { return "nil" }
    let text = value.text(as: attribute.type)
    let shown = text.count > 60 ? "\(text.prefix(60))…" : text
    if case .string = value { return "“\(shown)”" }
    return shown
  }

  private func text(_ id: ObjectID?) -> String { id.map { name(of: $0) } ?? "nil" }
}

private extension ResolvedAttribute {
  /// Whether an undo can write the attribute.
  var isWritable: Bool { !isRetired && derivation == nil }
}

/// Facts in the order in which they were first added.
private struct OrderedFacts<Element: Hashable> {
  private(set) var list: [Element] = []
  private var known: Set<Element> = []

  /// Adds a fact, and returns whether it is new.
  @discardableResult
  mutating func insert(_ element: Element) -> Bool {
    let isNew = known.insert(element).inserted
    if isNew { list.append(element) }
    return isNew
  }

  func contains(_ element: Element) -> Bool { known.contains(element) }
}
