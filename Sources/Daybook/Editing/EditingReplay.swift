import DaybookEngine
import DaybookModel

/// Carries a context's edits out again over another state, with the conflicts decided.
///
/// An edit that is left out has no effect. An edit whose object is deleted on both sides, or by one of the edits' own
/// deletes, has nothing left to change.
struct EditingReplay {
  /// Attributes, targets and links that keep their committed values.
  private var leftOut: Set<Fact> = []
  /// The values that attributes get instead of both sides' values.
  private var replacements: [(object: ObjectID, attribute: String, value: Value)] = []
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

  /// - Throws: `EditingConflictError` if there are conflicts that the policy does not decide; any error of its closure.
  init(_ clashes: EditingClashes = EditingClashes(), resolving policy: ConflictPolicy = .refuse) throws {
    abandoned = clashes.passing
    for clash in clashes.all {
      guard let resolution = try policy.resolution(of: clash.conflict) else {
        throw EditingConflictError(conflicts: clashes.conflicts)
      }
      take(clash, resolution)
    }
  }

  private mutating func take(_ clash: EditingClash, _ resolution: ConflictResolution) {
    let id = clash.conflict.object
    if case .target(_, let mine, let theirs) = clash.conflict.kind {
      for fact in clash.facts { decidedTargets[fact] = .some(resolution == .theirs ? theirs : mine) }
      decided += clash.facts
    }
    switch (clash.conflict.kind, resolution) {
    case (.deletedByOthers, .theirs): abandoned.insert(id)
    case (.deletedByOthers, _): if !clash.isInserted { revived.insert(id) }
    case (.deletedHere, .theirs):
      spared.insert(id)
      leftOut.formUnion(clash.facts)
    case (.attribute(let name, _, _), .value(let value)):
      leftOut.formUnion(clash.facts)
      replacements.append((id, name, value))
    case (let kind, .theirs):
      leftOut.formUnion(clash.facts)
      spared.insert(id)
      if case .target(_, _, let target?) = kind { spared.insert(target) }
    case (_, .mine), (_, .value): break
    }
  }

  /// Carries all steps out in one transaction.
  mutating func perform(_ steps: [PendingStep], in transaction: borrowing Transaction, _ journal: some Journal) throws {
    for step in steps { try perform(step, in: transaction, journal) }
    try finish(in: transaction)
  }

  mutating func perform(_ step: PendingStep, in transaction: borrowing Transaction, _ journal: some Journal) throws {
    // All objects are revived at once and first, so that the links that the edits remove from them exist.
    try transaction.builder.revive(revived, journal)
    revived = []
    for edit in step.edits { try perform(edit, in: transaction) }
  }

  /// Sets the values that were decided on instead of both sides' values, and the targets that were decided on and that
  /// the edits did not lead to.
  ///
  /// An edit has no effect while one of its objects is missing, so the links that remain in the end can be others than
  /// those of the edits' last state.
  func finish(in transaction: borrowing Transaction) throws {
    for (id, attribute, value) in replacements where try isThere(id, transaction) {
      try transaction.set(id, values: [attribute: value])
    }
    for fact in decided { try settle(fact, transaction) }
  }

  /// Gives a to-one relationship the target that was decided on, unless another decision contradicts it.
  private func settle(_ fact: Fact, _ transaction: borrowing Transaction) throws {
    let model = transaction.resolvedModel
    guard case .target(let id, let tag) = fact, let target = decidedTargets[fact],
      let reference = model.relationship(tagged: tag), try isThere(id, transaction)
    else { return }
    let (name, inverse) = (model[reference].name, model[model.inverse(of: reference)])
    let present = try transaction.targets(of: id, name).first
    guard present != target else { return }
    func decidedOwner(of partner: ObjectID) -> ObjectID?? {
      inverse.isMany ? nil : decidedTargets[.target(partner, inverse.tag)]
    }
    if let present, decidedOwner(of: present) == .some(id) { return }
    if let target {
      guard try isThere(target, transaction), decidedOwner(of: target) ?? id == id else { return }
      try transaction.relate(id, name, to: target)
    } else if let present {
      try transaction.unrelate(id, name, from: present)
    }
  }

  private mutating func perform(_ edit: PendingEdit, in transaction: borrowing Transaction) throws {
    switch edit.operation {
    case .insert(let entity, let values, let id):
      try insert(entity, Dictionary(values) { _, last in last }, id, transaction)
    case .rename(let id, let name):
      guard try isThere(id, transaction) else { return }
      let entity = try transaction.requireEntity(of: id)
      let attribute = entity.nameAttribute.map { entity.attributes[$0].tag }
      if let attribute, leftOut.contains(.attribute(id, attribute)) { return }
      try transaction.rename(id, to: name)
    case .set(let id, let values):
      guard try isThere(id, transaction) else { return }
      let entity = try transaction.requireEntity(of: id)
      let kept = values.filter { !isLeftOut($0.key, of: id, entity) }
      try transaction.set(id, values: Dictionary(kept) { _, last in last })
    case .relate(let id, let relationship, let target, let place):
      guard let link = edit.link, !isLeftOut(link, transaction) else { return }
      if try isThere(id, transaction), try isThere(target, transaction) {
        try relate(id, relationship, target, at: place, transaction)
      } else {
        // The edit moved the object away from its former target, even if there is no new target to link.
        try release(link, transaction)
      }
    case .unrelate(let id, let relationship, let target):
      guard let link = edit.link, !leftOut.contains(link.ownerFact(in: transaction.resolvedModel)),
        kept.isDisjoint(with: [id, target])
      else { return }
      try release(link, transaction)
      guard try isThere(id, transaction), try isThere(target, transaction) else { return }
      try transaction.unrelate(id, relationship, from: target)
    case .delete(let id): try delete(id, edit, transaction)
    }
  }

  private func isThere(_ id: ObjectID, _ transaction: borrowing Transaction) throws -> Bool {
    try !abandoned.contains(id) && !kept.contains(id) && transaction.builder.find(id) != nil
  }

  private func isLeftOut(_ name: String, of id: ObjectID, _ entity: ResolvedEntity) -> Bool {
    entity.attribute(named: name).map { leftOut.contains(.attribute(id, entity.attributes[$0].tag)) } ?? false
  }

  /// Inserts an object, or sets its values if another commit inserted it too.
  ///
  /// Values that are left out keep the committed ones.
  private func insert(
    _ name: String, _ values: [String: Value], _ id: ObjectID, _ transaction: borrowing Transaction
  ) throws {
    if abandoned.contains(id) || kept.contains(id) { return }
    guard let present = try transaction.builder.find(id).map({ transaction.resolvedModel.entities[$0.entity] }),
      present.name == name
    else {
      try transaction.insert(name, values: values, id: id)
      return
    }
    var kept: [String: Value] = [:]
    for attribute in present.attributes where !attribute.isRetired && attribute.derivation == nil {
      guard !leftOut.contains(.attribute(id, attribute.tag)) else { continue }
      kept[attribute.name] = values[attribute.name] ?? attribute.defaultValue
    }
    try transaction.set(id, values: kept)
  }

  /// Relates two objects; at the end of the list if `place` names an object not in it.
  private func relate(
    _ id: ObjectID, _ relationship: String, _ target: ObjectID, at place: Place, _ transaction: borrowing Transaction
  ) throws {
    var place = place
    switch place {
    case .unspecified, .last: break
    case .before(let other), .after(let other):
      if try !transaction.targets(of: id, relationship).contains(other) { place = .last }
    }
    try transaction.relate(id, relationship, to: target, at: place)
  }

  /// Removes the present target of a to-one relationship, whichever object it is.
  private func release(_ link: PendingLink, _ transaction: borrowing Transaction) throws {
    let model = transaction.resolvedModel
    guard let reference = model.relationship(tagged: link.relationship), !model[reference].isMany,
      try isThere(link.owner, transaction)
    else { return }
    let name = model[reference].name
    for target in try transaction.targets(of: link.owner, name) {
      try transaction.unrelate(link.owner, name, from: target)
    }
  }

  /// Whether a link that the edits make is left out.
  private func isLeftOut(_ link: PendingLink, _ transaction: borrowing Transaction) -> Bool {
    let ends = [link.owner, link.target]
    if !abandoned.isDisjoint(with: ends) || !kept.isDisjoint(with: ends) { return true }
    let model = transaction.resolvedModel
    if let fact = link.partnerFact(in: model), leftOut.contains(fact) { return true }
    return leftOut.contains(link.ownerFact(in: model))
  }

  /// Deletes the objects that the edit deleted, or none if one of them is to stay.
  ///
  /// Includes objects that have been moved since, and later additions that the delete rules include.
  private mutating func delete(_ id: ObjectID, _ edit: PendingEdit, _ transaction: borrowing Transaction) throws {
    let going = try ([id] + edit.deleted.reversed()).filter { try isThere($0, transaction) }
    guard try spared.isDisjoint(with: edit.deleted) && takesNothingThatStays(going, transaction) else {
      return kept.formUnion(edit.deleted)
    }
    try transaction.delete(together: going)
  }

  private func takesNothingThatStays(_ ids: [ObjectID], _ transaction: borrowing Transaction) throws -> Bool {
    if spared.isEmpty { return true }
    let going = try transaction.builder.objectsGoing(with: ids)
    return spared.isDisjoint(with: going) && kept.isDisjoint(with: going)
  }
}
