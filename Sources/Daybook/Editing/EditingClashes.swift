import DaybookEngine
import DaybookModel

/// A conflict, with the information that replaying the edits needs.
struct EditingClash {
  let conflict: EditingConflict
  /// The facts that keep their committed value if the conflict is decided for `theirs`.
  let facts: [Fact]
  /// Whether the edits insert the object that other commits deleted, so it need not be revived.
  let isInserted: Bool
}

/// The conflicts between pending edits and later commits.
struct EditingClashes {
  /// All conflicts, in a deterministic order.
  private(set) var all: [EditingClash] = []
  /// Objects whose edits are ignored: inserted and deleted here, and made by other commits too.
  private(set) var passing: Set<ObjectID> = []
  /// Facts that the edits leave as they were, and that other commits changed: these keep their committed value.
  private(set) var unchanged: Set<Fact> = []
  /// The one-to-one partners that the edits lead to.
  private(set) var partners: [(fact: Fact, target: ObjectID?)] = []

  var conflicts: [EditingConflict] { all.map(\.conflict) }

  /// For a state without later commits.
  init() {}

  /// - Parameters:
  ///   - passing: See ``passing``.
  ///   - touching: The positions of the other writers' commits that name each object.
  ///   - removed: The parts of the model that the edits need and that it no longer has.
  ///   - models: The positions of the models since the edits' position.
  init(
    mine: ConflictSide, theirs: ConflictSide, passing: Set<ObjectID>, _ touching: [ObjectID: [Position]],
    removed: Set<PendingVerb.RemovedPart>, by models: [Position]
  ) {
    self.passing = passing
    partners = mine.partners
    let sides = Sides(mine: mine, theirs: theirs, touching: touching)
    unchanged = sides.unchangedHere()
    all = removed.map { part in
      let conflict = EditingConflict(
        entity: part.entity, object: part.object, kind: .removedByModel(part.name), positions: models)
      return EditingClash(conflict: conflict, facts: [], isInserted: false)
    }
    let removedCount = all.count
    all += sides.existenceClashes()
    all += sides.factClashes(but: Set(all[removedCount...].map(\.conflict.object)))
    all.sort { ($0.conflict.object, "\($0.conflict.kind)") < ($1.conflict.object, "\($1.conflict.kind)") }
  }
}

/// Both sides of a merge.
private struct Sides {
  let mine: ConflictSide
  let theirs: ConflictSide
  let touching: [ObjectID: [Position]]

  private var model: ResolvedModel { mine.model }

  /// The conflicts about objects that one side deletes.
  func existenceClashes() -> [EditingClash] {
    var clashes: [EditingClash] = []
    let (facts, enriched) = (theirs.factsByObject(), theirs.enriched)
    for id in mine.deleted where theirs.existence[id] != false && !mine.isPassing(id) && enriched.contains(id) {
      clashes.append(clash(id, .deletedHere, touching[id] ?? [], facts[id] ?? []))
    }
    for id in mine.needed where mine.existence[id] != false && theirs.isGone(id) {
      let isInserted = mine.inserted.contains(id)
      clashes.append(clash(id, .deletedByOthers, touching[id] ?? [], [], isInserted: isInserted))
    }
    return clashes
  }

  /// The conflicts about values and links.
  ///
  /// - Parameter clashing: Objects that are in conflict as a whole.
  func factClashes(but clashing: Set<ObjectID>) -> [EditingClash] {
    func isThere(_ id: ObjectID) -> Bool {
      !clashing.contains(id) && mine.existence[id] != false && !theirs.isGone(id)
    }
    return mine.words.compactMap { fact, word in
      guard mine.comparison(of: fact, with: theirs) == .conflict, let other = theirs.words[fact] else { return nil }
      return clash(fact, word.word, other.word, other.positions, isThere)
    }
  }

  /// The facts that the edits leave as they were, and that other commits changed.
  func unchangedHere() -> Set<Fact> {
    Set(
      mine.words.keys.filter { fact in
        mine.comparison(of: fact, with: theirs) == .unchanged && !theirs.isUnchanged(fact)
      })
  }

  private func clash(
    _ fact: Fact, _ word: ConflictSide.Word, _ other: ConflictSide.Word, _ positions: [Position],
    _ isThere: (ObjectID) -> Bool
  ) -> EditingClash? {
    switch (fact, word, other) {
    case (.attribute(let id, let tag), .value(let mine), .value(let theirs)):
      guard isThere(id), let entity = entity(of: id), let number = entity.attribute(tagged: tag) else { return nil }
      let name = entity.attributes[number].name
      return clash(id, .attribute(name, mine: mine, theirs: theirs), positions, [fact])
    case (.target(let id, let tag), .target(let mine), .target(let theirs)):
      guard isThere(id), let reference = model.relationship(tagged: tag) else { return nil }
      // The partner's side of a link is left out together with the object that takes it.
      guard model[reference].isOwner || mine.map(isThere) ?? true else { return nil }
      return clash(id, .target(model[reference].name, mine: mine, theirs: theirs), positions, [fact])
    case (.link(let link), .isLinked(let isLinked), _):
      guard isThere(link.owner), isThere(link.target), let reference = model.relationship(tagged: link.relationship)
      else { return nil }
      let kind = EditingConflict.Kind.link(model[reference].name, link.target, isMineRelated: isLinked)
      return clash(link.owner, kind, positions, [fact])
    default: return nil
    }
  }

  private func clash(
    _ id: ObjectID, _ kind: EditingConflict.Kind, _ positions: [Position], _ facts: [Fact], isInserted: Bool = false
  ) -> EditingClash {
    let conflict = EditingConflict(entity: entity(of: id)?.name ?? "", object: id, kind: kind, positions: positions)
    return EditingClash(conflict: conflict, facts: facts, isInserted: isInserted)
  }

  private func entity(of id: ObjectID) -> ResolvedEntity? {
    (mine.entities[id] ?? theirs.entities[id]).flatMap(model.entity(tagged:)).map { model.entities[$0] }
  }
}

private extension ConflictSide {
  /// The facts that are stated about each object.
  func factsByObject() -> [ObjectID: [Fact]] {
    var facts: [ObjectID: [Fact]] = [:]
    for fact in words.keys { for id in fact.objects { facts[id, default: []].append(fact) } }
    return facts
  }

  /// The objects that the changes in the end need.
  ///
  /// A removed link needs neither of its objects.
  var needed: Set<ObjectID> {
    var ids = inserted
    for (fact, (word, _)) in words where !isUnchanged(fact) {
      switch (fact, word) {
      case (.attribute(let id, _), _): ids.insert(id)
      case (.target(let id, _), .target(.some(let target))): ids.formUnion([id, target])
      case (.link(let link), .isLinked(true)): ids.formUnion([link.owner, link.target])
      default: break
      }
    }
    return ids
  }
}
