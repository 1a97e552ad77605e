import DaybookModel

/// Carries a context's edits out again over another state, with the conflicts decided.
struct EditingReplay {
  /// Attributes that keep what others gave them, or get another value in the end.
  private var leftOut: [ObjectID: Set<String>] = [:]
  private var replacements: [(object: ObjectID, attribute: String, value: Value)] = []
  /// To-one relationships that keep the target that others gave them.
  private var leftOutTargets: [ObjectID: Set<String>] = [:]
  private var leftOutLinks: Set<Link> = []
  /// Objects that others deleted and that stay so: what needs them is left out.
  private var abandoned: Set<ObjectID> = []
  /// Objects that others deleted and that come back.
  private var revived: Set<ObjectID> = []
  /// Objects that others changed and that stay, though the edits delete them.
  private var spared: Set<ObjectID> = []

  private struct Link: Hashable {
    let owner: ObjectID
    let relationship: String
    let target: ObjectID
  }

  /// For a state that nobody else has changed.
  init() {}

  /// - Throws: `EditingConflictError` if there are conflicts that the policy does not decide; what its closure throws.
  init(_ conflicts: [EditingConflict], resolving policy: ConflictPolicy) throws {
    for conflict in conflicts {
      guard let resolution = try policy.resolution(of: conflict) else {
        throw EditingConflictError(conflicts: conflicts)
      }
      take(conflict, resolution)
    }
  }

  private mutating func take(_ conflict: EditingConflict, _ resolution: ConflictResolution) {
    let id = conflict.object
    switch (conflict.kind, resolution) {
    case (.deletedByOthers, .theirs): abandoned.insert(id)
    case (.deletedByOthers, _): revived.insert(id)
    case (.deletedHere, .theirs): spared.insert(id)
    case (.attribute(let name, _, _), .theirs): leftOut[id, default: []].insert(name)
    case (.attribute(let name, _, _), .value(let value)):
      leftOut[id, default: []].insert(name)
      replacements.append((id, name, value))
    case (.target(let name, _, _), .theirs): leftOutTargets[id, default: []].insert(name)
    case (.link(let name, let target, _), .theirs):
      leftOutLinks.insert(Link(owner: id, relationship: name, target: target))
    case (_, .mine), (_, .value): break
    }
  }

  /// Carries all steps out in one transaction.
  func perform(_ steps: [PendingStep], in transaction: borrowing Transaction, _ journal: some Journal) throws {
    for step in steps { try perform(step, in: transaction, journal) }
    try finish(in: transaction)
  }

  func perform(_ step: PendingStep, in transaction: borrowing Transaction, _ journal: some Journal) throws {
    for edit in step.edits { try perform(edit, in: transaction, journal) }
  }

  /// Writes the values that were decided on instead of both.
  func finish(in transaction: borrowing Transaction) throws {
    for (object, attribute, value) in replacements { try transaction.set(object, values: [attribute: value]) }
  }

  private func perform(
    _ edit: PendingEdit, in transaction: borrowing Transaction, _ journal: some Journal
  ) throws {
    switch edit.operation {
    case .insert(let entity, let values, let id):
      try transaction.insert(entity, values: Dictionary(values) { _, last in last }, id: id)
    case .rename(let id, let name):
      guard try isReady(id, transaction, journal) else { return }
      let entity = try transaction.requireEntity(of: id)
      let attribute = entity.nameAttribute.map { entity.attributes[$0].name }
      if leftOut[id]?.contains(attribute ?? "") != true { try transaction.rename(id, to: name) }
    case .set(let id, let values):
      guard try isReady(id, transaction, journal) else { return }
      let kept = values.filter { leftOut[id]?.contains($0.key) != true }
      try transaction.set(id, values: Dictionary(kept) { _, last in last })
    case .relate(let id, let relationship, let target, let place):
      guard try isReady(id, transaction, journal), try isReady(target, transaction, journal),
        try !isLeftOut(id, relationship, target, transaction)
      else { return }
      try relate(id, relationship, target, at: place, transaction)
    case .unrelate(let id, let relationship, let target):
      guard try transaction.builder.find(id) != nil, try transaction.builder.find(target) != nil,
        try !isLeftOut(id, relationship, target, transaction)
      else { return }
      try transaction.unrelate(id, relationship, from: target)
    case .delete(let id):
      guard edit.deleted.allSatisfy({ !spared.contains($0) }), try transaction.builder.find(id) != nil else { return }
      try transaction.delete(id)
    }
  }

  /// Whether an object can be edited; one that is to come back does so now.
  private func isReady(
    _ id: ObjectID, _ transaction: borrowing Transaction, _ journal: some Journal
  ) throws -> Bool {
    if abandoned.contains(id) { return false }
    if revived.contains(id), try transaction.builder.find(id) == nil { try transaction.builder.revive(id, journal) }
    return true
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

  /// Whether a link, named from either side, keeps what others made of it.
  private func isLeftOut(
    _ id: ObjectID, _ name: String, _ target: ObjectID, _ transaction: borrowing Transaction
  ) throws -> Bool {
    let model = transaction.resolvedModel
    let entity = try transaction.builder.require(id).entity
    let reference = try model.requireRelationship(name, of: entity)
    let inverse = model[model.inverse(of: reference)]
    let (owner, relationship, other) =
      model[reference].isOwner ? (id, model[reference], target) : (target, inverse, id)
    if leftOutTargets[owner]?.contains(relationship.name) == true { return true }
    return leftOutLinks.contains(Link(owner: owner, relationship: relationship.name, target: other))
  }
}
