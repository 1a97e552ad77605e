import DaybookEngine
import DaybookModel

/// Carries a context's edits out again over another state, with the conflicts decided.
///
/// It decides which verbs are carried out, and with which values; the builder of the commit carries them out.
///
/// An edit that is left out has no effect. An edit whose object is deleted on both sides, or by one of the edits' own
/// deletes, has nothing left to change, and neither has an edit of a part that a later model removed.
struct EditingReplay {
  /// Attributes, targets and links that keep their committed values.
  private var leftOut: Set<Fact> = []
  /// The values that attributes get instead of both sides' values.
  private var replacements: [(object: ObjectID, attribute: Tag, value: Value)] = []
  /// The targets of to-one relationships that were decided on, with their facts in the order of the conflicts.
  private var decidedTargets: [Fact: ObjectID?] = [:]
  private var decided: [Fact] = []
  /// Objects that stay deleted as other commits left them, and whose edits are left out.
  private var abandoned: Set<ObjectID>
  /// Objects that other commits deleted and that are inserted again before the first edit.
  private var revived: Set<ObjectID> = []
  /// Objects that other commits changed, and that stay though the edits delete them, or would now delete them together
  /// with another object.
  private var spared: Set<ObjectID> = []
  /// Objects whose delete is left out. Later edits that insert an object with the same identity are left out too.
  private var kept: Set<ObjectID> = []
  /// The one-to-one partners that the edits lead to, in a deterministic order.
  private let partners: [(fact: Fact, target: ObjectID?)]
  /// The committed partners, read before the first edit; `nil` before that.
  private var committedPartners: [Fact: ObjectID?]?

  /// - Throws: `StoreError`: `conflict` if there are conflicts that the policy does not decide, `notFound` if it decides to
  ///   write a part that the model lacks; any error of its closure.
  init(_ clashes: EditingClashes = EditingClashes(), resolving policy: ConflictPolicy = .refuse) throws {
    abandoned = clashes.passing
    leftOut = clashes.unchanged
    partners = clashes.partners
    for clash in clashes.all {
      let decision = try policy.decision(about: clash.conflict)
      if case .refuse = decision { throw StoreError(undecided: clashes.conflicts) }
      try take(clash, decision)
    }
  }

  private mutating func take(_ clash: EditingClash, _ decision: ConflictPolicy) throws {
    let id = clash.conflict.object
    if case .target(_, let mine, let theirs) = clash.conflict.kind {
      for fact in clash.facts { decidedTargets[fact] = .some(decision.isTheirs ? theirs : mine) }
      decided += clash.facts
    }
    switch (clash.conflict.kind, decision) {
    case (.removedByModel, .theirs): break
    case (.removedByModel(let name), _):
      throw StoreError(
        .notFound, "The model no longer has “\(name)”, which the context changes for \(clash.conflict.entity) \(id).",
        advice: "Decide for the committed state, which leaves the edit out, or undo the edit.")
    case (.deletedByOthers, .theirs): abandoned.insert(id)
    case (.deletedByOthers, _): if !clash.isInserted { revived.insert(id) }
    case (.deletedHere, .theirs):
      spared.insert(id)
      leftOut.formUnion(clash.facts)
    case (.attribute, .value(let value)):
      leftOut.formUnion(clash.facts)
      for case .attribute(_, let tag) in clash.facts { replacements.append((id, tag, value)) }
    case (let kind, .theirs):
      leftOut.formUnion(clash.facts)
      spared.insert(id)
      if case .target(_, _, let target?) = kind { spared.insert(target) }
    case (_, .mine), (_, .value), (_, .refuse), (_, .decide): break
    }
  }

  /// Carries all steps out in one commit.
  mutating func perform(_ steps: [PendingStep], with builder: CommitBuilder, _ journal: some Journal) throws {
    for step in steps { try perform(step, with: builder, journal) }
    try finish(with: builder)
  }

  /// Records the events of a step that came before the insertion of their objects.
  ///
  /// An event about an object that never existed after all, because its insertion is left out, is left out too.
  private func perform(_ postponed: [Verb], with builder: CommitBuilder) throws {
    for verb in postponed where try isPossible(verb, builder) { try builder.carryOut(verb) }
  }

  /// Returns whether the object of a verb that records an event exists or existed; true for all other verbs.
  private func isPossible(_ verb: Verb, _ builder: CommitBuilder) throws -> Bool {
    guard case .record(let event, let id, _) = verb, builder.model.event(named: event) != nil else { return true }
    return try builder.hasExisted(id, for: event)
  }

  mutating func perform(_ step: PendingStep, with builder: CommitBuilder, _ journal: some Journal) throws {
    if committedPartners == nil {
      var found: [Fact: ObjectID?] = [:]
      for (fact, _) in partners { found[fact] = .some(try target(of: fact, builder)) }
      committedPartners = found
    }
    // All objects are revived at once and first, so that the links that the edits remove from them exist.
    try builder.revive(revived, journal)
    revived = []
    var postponed: [Verb] = []
    for edit in step.edits {
      for verb in try verbs(repeating: edit, in: builder) {
        if try isPossible(verb, builder) { try builder.carryOut(verb) } else { postponed.append(verb) }
      }
    }
    try perform(postponed, with: builder)
  }

  /// Sets the values that were decided on instead of both sides' values, and the targets that were decided on and that
  /// the edits did not lead to.
  ///
  /// An edit has no effect while one of its objects is missing, so the links that remain in the end can differ from the
  /// links in the edits' last state.
  func finish(with builder: CommitBuilder) throws {
    for (id, tag, value) in replacements where try isThere(id, builder) {
      guard let attribute = try builder.requireEntity(of: id).presentAttribute(tagged: tag) else { continue }
      try builder.carryOut(.set(id, values: [(attribute.name, value)]))
    }
    for fact in decided {
      if let verb = try verb(settling: fact, in: builder) { try builder.carryOut(verb) }
    }
    try leaveStrayPartners(with: builder)
  }

  /// Ends the one-to-one links that only an earlier edit made.
  ///
  /// An edit that is left out does not move an object on from the partner that an earlier edit gave it. Neither side has
  /// that partner in the end. If the edits lead to another partner, which the object cannot have, it returns to its
  /// committed one, unless that one is taken.
  private func leaveStrayPartners(with builder: CommitBuilder) throws {
    let strays = try partners.filter { fact, target in
      let present = try self.target(of: fact, builder)
      return present != nil && present != target && present != committedPartners?[fact]
    }
    for (fact, _) in strays {
      guard let present = try target(of: fact, builder), let (id, relationship, _) = named(fact, in: builder.model)
      else { continue }
      try builder.carryOut(.unrelate(id, relationship: relationship.name, from: present))
    }
    for (fact, target) in strays where target != nil {
      guard let (id, relationship, inverse) = named(fact, in: builder.model), try isThere(id, builder),
        try self.target(of: fact, builder) == nil, let former = committedPartners?[fact] ?? nil,
        try isThere(former, builder), try self.target(of: .target(former, inverse.tag), builder) == nil
      else { continue }
      try builder.carryOut(.relate(id, relationship: relationship.name, to: former, at: .unspecified))
    }
  }

  /// Returns the object and the relationship of a target, with the inverse; `nil` if the model lacks them.
  private func named(
    _ fact: Fact, in model: ResolvedModel
  ) -> (id: ObjectID, relationship: ResolvedRelationship, inverse: ResolvedRelationship)? {
    guard case .target(let id, let tag) = fact, let reference = model.relationship(tagged: tag),
      !model[reference].isRetired
    else { return nil }
    return (id, model[reference], model[model.inverse(of: reference)])
  }

  /// Returns the present target of a to-one relationship; `nil` without one, and if the object or the relationship is
  /// gone.
  private func target(of fact: Fact, _ builder: CommitBuilder) throws -> ObjectID? {
    guard case .target(let id, let tag) = fact, try isThere(id, builder),
      let relationship = builder.model.presentRelationship(tagged: tag)
    else { return nil }
    return try builder.targets(of: id, relationship.name).first
  }

  /// Returns the verb that gives a to-one relationship the target that was decided on.
  ///
  /// Returns `nil` if the relationship has that target, or if another decision contradicts it.
  private func verb(settling fact: Fact, in builder: CommitBuilder) throws -> Verb? {
    let model = builder.model
    guard case .target(let id, let tag) = fact, let target = decidedTargets[fact],
      let reference = model.relationship(tagged: tag), !model[reference].isRetired, try isThere(id, builder)
    else { return nil }
    let (name, inverse) = (model[reference].name, model[model.inverse(of: reference)])
    let present = try builder.targets(of: id, name).first
    guard present != target else { return nil }
    func decidedOwner(of partner: ObjectID) -> ObjectID?? {
      inverse.isMany ? nil : decidedTargets[.target(partner, inverse.tag)]
    }
    if let present, decidedOwner(of: present) == .some(id) { return nil }
    if let target {
      guard try isThere(target, builder), decidedOwner(of: target) ?? id == id else { return nil }
      return .relate(id, relationship: name, to: target, at: .unspecified)
    }
    return present.map { .unrelate(id, relationship: name, from: $0) }
  }

  /// Returns the verbs that an edit has left to carry out, with the values that were decided on and the names of the
  /// present model.
  private mutating func verbs(repeating edit: PendingEdit, in builder: CommitBuilder) throws -> [Verb] {
    let model = builder.model
    switch edit.verb {
    case .insert(let tag, let values, let id):
      guard let entity = model.presentEntity(tagged: tag) else { return [] }
      return try verb(inserting: id, entity, values, in: builder).map { [$0] } ?? []
    case .set(let id, let tag, let values):
      guard let entity = model.presentEntity(tagged: tag), try isThere(id, builder) else { return [] }
      let kept = values.filter { !leftOut.contains(.attribute(id, $0.attribute)) }
      return [.set(id, values: entity.named(kept))]
    case .relate(let id, let tag, let target, let place):
      guard let link = edit.link, let relationship = model.presentRelationship(tagged: tag), !isLeftOut(link, in: model)
      else { return [] }
      if try isThere(id, builder), try isThere(target, builder) {
        let place = try self.place(place, of: id, relationship.name, in: builder)
        return [.relate(id, relationship: relationship.name, to: target, at: place)]
      }
      // The edit moved the object away from its former target, even if there is no new target to link.
      return try verbs(releasing: link, in: builder)
    case .unrelate(let id, let tag, let target):
      guard let link = edit.link, let relationship = model.presentRelationship(tagged: tag),
        leftOut.isDisjoint(with: link.ownFacts(in: model)), kept.isDisjoint(with: [id, target])
      else { return [] }
      let releases = try verbs(releasing: link, in: builder)
      guard try isThere(id, builder) && isThere(target, builder) else { return releases }
      return releases + [.unrelate(id, relationship: relationship.name, from: target)]
    case .record: return edit.verb.named(in: model).map { [$0] } ?? []
    case .delete(let ids): return try verb(deleting: ids, edit.deleted, in: builder).map { [$0] } ?? []
    }
  }

  private func isThere(_ id: ObjectID, _ builder: CommitBuilder) throws -> Bool {
    try !abandoned.contains(id) && !kept.contains(id) && builder.find(id) != nil
  }

  /// Returns an insert, or the verb that sets its values if another commit inserted the object too.
  ///
  /// Values that are left out keep the committed ones.
  private func verb(
    inserting id: ObjectID, _ entity: ResolvedEntity, _ values: [(attribute: Tag, value: Value)],
    in builder: CommitBuilder
  ) throws -> Verb? {
    if abandoned.contains(id) || kept.contains(id) { return nil }
    guard let present = try builder.find(id).map({ builder.model.entities[$0.entity] }), present.tag == entity.tag
    else { return .insert(entity: entity.name, values: entity.named(values), id: id) }
    var kept: [(key: String, value: Value)] = []
    for attribute in present.attributes where !attribute.isRetired && attribute.derivation == nil {
      guard !leftOut.contains(.attribute(id, attribute.tag)) else { continue }
      let value = values.last { $0.attribute == attribute.tag }?.value
      kept.append((attribute.name, value ?? attribute.defaultValue))
    }
    return .set(id, values: kept)
  }

  /// Returns a place, or the end of the list if the place names an object not in it.
  private func place(
    _ place: Place, of id: ObjectID, _ relationship: String, in builder: CommitBuilder
  ) throws -> Place {
    switch place {
    case .unspecified, .last: place
    case .before(let other), .after(let other):
      try builder.targets(of: id, relationship).contains(other) ? place : .last
    }
  }

  /// Returns the verbs that remove the present target of a to-one relationship, whichever object it is; of both objects of
  /// the link if the relationship is its own inverse.
  private func verbs(releasing link: LinkIdentity, in builder: CommitBuilder) throws -> [Verb] {
    let model = builder.model
    var verbs: [Verb] = []
    for fact in link.ownFacts(in: model) {
      guard case .target(let id, let tag) = fact, let reference = model.relationship(tagged: tag),
        try isThere(id, builder)
      else { continue }
      let name = model[reference].name
      verbs += try builder.targets(of: id, name).map { .unrelate(id, relationship: name, from: $0) }
    }
    return verbs
  }

  /// Whether a link that the edits make is left out.
  private func isLeftOut(_ link: LinkIdentity, in model: ResolvedModel) -> Bool {
    let ends = [link.owner, link.target]
    if !abandoned.isDisjoint(with: ends) || !kept.isDisjoint(with: ends) { return true }
    if let fact = link.partnerFact(in: model), leftOut.contains(fact) { return true }
    return leftOut.contains(link.ownerFact(in: model))
  }

  /// Returns the delete of the objects that the edit deleted, or `nil` if one of them is to stay.
  ///
  /// Includes objects that have been moved since, and later additions that the delete rules include.
  ///
  /// - Parameter deleted: The objects that the edit deleted in the end, `ids` included.
  private mutating func verb(
    deleting ids: [ObjectID], _ deleted: [ObjectID], in builder: CommitBuilder
  ) throws -> Verb? {
    // Only the first root has a place of its own: an edit that was carried out before has all it deleted as roots.
    let going = try (ids.prefix(1) + deleted.reversed()).filter { try isThere($0, builder) }
    guard try spared.isDisjoint(with: deleted) && takesNothingThatStays(going, builder) else {
      kept.formUnion(deleted)
      return nil
    }
    return .delete(going)
  }

  private func takesNothingThatStays(_ ids: [ObjectID], _ builder: CommitBuilder) throws -> Bool {
    if spared.isEmpty { return true }
    let going = try builder.objectsGoing(with: ids)
    return spared.isDisjoint(with: going) && kept.isDisjoint(with: going)
  }
}
