import DaybookModel

/// Carries a context's edits out again over another state, with the conflicts decided.
///
/// An edit that is left out says nothing. One whose object is gone on both sides, or goes by one of the edits' own
/// deletes, has nothing left to change.
struct EditingReplay {
  /// Attributes, targets and links that keep what others made of them.
  private var leftOut: Set<Fact> = []
  /// The values that attributes get in the end instead of both.
  private var replacements: [(object: ObjectID, attribute: String, value: Value)] = []
  /// Objects that are as others have them: they deleted them, and all that needs them is left out.
  private var abandoned: Set<ObjectID>
  /// Objects that others deleted and that come back before the first edit.
  private var revived: Set<ObjectID> = []
  /// Objects that others changed and that stay, though the edits delete them.
  private var spared: Set<ObjectID> = []
  /// Objects that were to go by a delete that is left out. What the edits made under their identity afterwards is left
  /// out with it.
  private var kept: Set<ObjectID> = []

  /// - Throws: `EditingConflictError` if there are conflicts that the policy does not decide; what its closure throws.
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
    switch (clash.conflict.kind, resolution) {
    case (.deletedByOthers, .theirs): abandoned.insert(id)
    case (.deletedByOthers, _): if !clash.isInserted { revived.insert(id) }
    case (.deletedHere, .theirs):
      spared.insert(id)
      leftOut.formUnion(clash.facts)
    case (.attribute(let name, _, _), .value(let value)):
      leftOut.formUnion(clash.facts)
      replacements.append((id, name, value))
    case (_, .theirs): leftOut.formUnion(clash.facts)
    case (_, .mine), (_, .value): break
    }
  }

  /// Carries all steps out in one transaction.
  mutating func perform(_ steps: [PendingStep], in transaction: borrowing Transaction, _ journal: some Journal) throws {
    for step in steps { try perform(step, in: transaction, journal) }
    try finish(in: transaction)
  }

  mutating func perform(_ step: PendingStep, in transaction: borrowing Transaction, _ journal: some Journal) throws {
    // All at once, and before anything else: what the edits remove from them is there to be removed.
    try transaction.builder.revive(revived, journal)
    revived = []
    for edit in step.edits { try perform(edit, in: transaction) }
  }

  /// Writes the values that were decided on instead of both.
  func finish(in transaction: borrowing Transaction) throws {
    for (id, attribute, value) in replacements where try isThere(id, transaction) {
      try transaction.set(id, values: [attribute: value])
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
        // It moved away from its former target, though there is nothing to move to.
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

  /// Inserts an object. One that others have inserted too gets the values, as far as they are not theirs to say.
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

  /// Relates two objects. The end of the list takes the place beside an object that is not in it any more.
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

  /// Removes the target that a to-one relationship has, whichever it is by now.
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

  /// Whether a link that the edits make keeps what others made of it.
  private func isLeftOut(_ link: PendingLink, _ transaction: borrowing Transaction) -> Bool {
    let ends = [link.owner, link.target]
    if !abandoned.isDisjoint(with: ends) || !kept.isDisjoint(with: ends) { return true }
    let model = transaction.resolvedModel
    if let fact = link.partnerFact(in: model), leftOut.contains(fact) { return true }
    return leftOut.contains(link.ownerFact(in: model))
  }

  /// Deletes what the edit deleted, wherever others have moved it, and what others added under its rules; or leaves all
  /// of it out, if something would go that is to stay.
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
