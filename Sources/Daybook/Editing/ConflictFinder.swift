import DaybookModel

/// Finds where pending edits and later commits change the same.
struct ConflictFinder {
  private let model: ResolvedModel
  /// What the edits say, by what they are about; the last word counts.
  private var mine: [Fact: Word] = [:]
  private var mineExistence: [ObjectID: Bool] = [:]
  private var inserted: Set<ObjectID> = []
  private var mentioned: Set<ObjectID> = []
  private var theirs: [Fact: (word: Word, positions: [Position])] = [:]
  private var theirExistence: [ObjectID: Bool] = [:]
  /// The commits of others that say anything of an object.
  private var touching: [ObjectID: [Position]] = [:]
  private var entities: [ObjectID: Tag] = [:]

  /// What is said of a fact.
  fileprivate enum Word: Equatable {
    case value(Value)
    case target(ObjectID?)
    case isLinked(Bool)
  }

  /// - Parameter model: The one by which the edits were made.
  init(_ steps: [PendingStep], in model: ResolvedModel) throws {
    self.model = model
    for step in steps {
      var events = EventReader(step.events.span.bytes, position: step.position, time: step.time)
      for edit in step.edits {
        for _ in 0..<edit.eventCount { try take(mine: events.next(), isDeleting: edit.operation.isDelete) }
      }
    }
  }

  private mutating func take(mine event: EventView, isDeleting: Bool) throws {
    entities[event.object] = event.entity
    switch event.kind {
    case .inserted:
      if mineExistence[event.object] == nil { inserted.insert(event.object) }
      mineExistence[event.object] = true
    case .deleted: mineExistence[event.object] = false
    // Only later versions write such events.
    case .unknown: break
    case .renamed, .set, .related, .unrelated:
      // What a delete unrelates follows from what is linked when it is carried out.
      guard !isDeleting else { return }
      try event.forEachWord(in: model) { fact, word in mine[fact] = word }
      mentioned.insert(event.object)
      for target in [event.link?.from, event.link?.to] {
        guard let target else { continue }
        mentioned.insert(target)
        if entities[target] == nil { entities[target] = event.targetEntity(in: model) }
      }
    }
  }

  /// Takes in an event that others committed.
  mutating func take(_ event: EventView, at position: Position, in model: ResolvedModel) throws {
    note(event.object, position)
    if entities[event.object] == nil { entities[event.object] = event.entity }
    switch event.kind {
    case .inserted: theirExistence[event.object] = true
    case .deleted: theirExistence[event.object] = false
    // That it touched the object is noted; what it says, only a later version can compare.
    case .unknown: break
    case .renamed, .set, .related, .unrelated:
      try event.forEachWord(in: model) { fact, word in
        theirs[fact] = (word, (theirs[fact]?.positions ?? []) + [position])
      }
      for target in [event.link?.from, event.link?.to] { if let target { note(target, position) } }
    }
  }

  private mutating func note(_ id: ObjectID, _ position: Position) {
    if touching[id]?.last != position { touching[id, default: []].append(position) }
  }

  /// All conflicts, in an order that depends on nothing else.
  func conflicts() -> [EditingConflict] {
    var conflicts: [EditingConflict] = []
    for (id, isLive) in mineExistence where !isLive && !inserted.contains(id) && theirExistence[id] != false {
      if let positions = touching[id] { conflicts.append(conflict(id, .deletedHere, positions)) }
    }
    for id in mentioned where mineExistence[id] != false && theirExistence[id] == false {
      conflicts.append(conflict(id, .deletedByOthers, touching[id] ?? []))
    }
    for (fact, word) in mine {
      guard let theirs = theirs[fact], theirs.word != word, let conflict = conflict(fact, word, theirs) else {
        continue
      }
      conflicts.append(conflict)
    }
    return conflicts.sorted { ($0.object, "\($0.kind)") < ($1.object, "\($1.kind)") }
  }

  private func conflict(_ id: ObjectID, _ kind: EditingConflict.Kind, _ positions: [Position]) -> EditingConflict {
    let entity = entities[id].flatMap(model.entity(tagged:)).map { model.entities[$0].name }
    return EditingConflict(entity: entity ?? "", object: id, kind: kind, positions: positions)
  }

  private func conflict(
    _ fact: Fact, _ word: Word, _ theirs: (word: Word, positions: [Position])
  ) -> EditingConflict? {
    switch (fact, word, theirs.word) {
    case (.attribute(let id, let tag), .value(let mine), .value(let other)):
      guard isThere(id), let entity = entities[id].flatMap(model.entity(tagged:)).map({ model.entities[$0] }),
        let number = entity.attribute(tagged: tag)
      else { return nil }
      return conflict(id, .attribute(entity.attributes[number].name, mine: mine, theirs: other), theirs.positions)
    case (.target(let id, let tag), .target(let mine), .target(let other)):
      guard isThere(id), let reference = model.relationship(tagged: tag) else { return nil }
      return conflict(id, .target(model[reference].name, mine: mine, theirs: other), theirs.positions)
    case (.link(let id, let tag, let target), .isLinked(let isLinked), _):
      guard isThere(id), isThere(target), let reference = model.relationship(tagged: tag) else { return nil }
      return conflict(id, .link(model[reference].name, target, isMineRelated: isLinked), theirs.positions)
    default: return nil
    }
  }

  /// Whether neither side deletes an object: if one does, that is the conflict.
  private func isThere(_ id: ObjectID) -> Bool { theirExistence[id] != false && mineExistence[id] != false }
}

extension PendingOperation {
  fileprivate var isDelete: Bool {
    if case .delete = self { true } else { false }
  }
}

extension EventView {
  /// The entity of the objects that a link leads to.
  fileprivate func targetEntity(in model: ResolvedModel) -> Tag? {
    guard let link, let reference = model.relationship(tagged: link.relationship) else { return nil }
    return model.entities[model[reference].target].tag
  }

  /// Calls `body` with what the event says of attributes and links.
  fileprivate func forEachWord(in model: ResolvedModel, _ body: (Fact, ConflictFinder.Word) throws -> Void) throws {
    switch kind {
    case .inserted, .deleted, .unknown: return
    case .renamed, .set:
      guard let number = model.entity(tagged: entity) else { return }
      var reader = FieldReader(fields)
      while !reader.isAtEnd {
        let tag = try reader.next().tag
        let new = try reader.next()
        guard let attribute = model.entities[number].attribute(tagged: tag) else { continue }
        let missing = model.entities[number].attributes[attribute].missingValue
        try body(.attribute(object, tag), .value(new.form == .absent ? missing : try new.value()))
      }
    case .related, .unrelated:
      guard let link, let reference = model.relationship(tagged: link.relationship) else { return }
      guard model[reference].isMany else { return try body(.target(object, link.relationship), .target(link.to)) }
      if let from = link.from, link.to != from { try body(.link(object, link.relationship, from), .isLinked(false)) }
      if let to = link.to { try body(.link(object, link.relationship, to), .isLinked(true)) }
    }
  }
}
