import DaybookModel
import LMDB

/// Applies link events to the owner's field or rows, the inverse rows and their dependents.
extension Fold {
  func applyLink(_ event: EventView, to owner: Int, at moment: Moment) throws {
    guard let link = event.link else { throw MalformedBytes(offset: 0, expected: "a link") }
    guard let reference = model.relationship(tagged: link.relationship), isInHierarchy(owner, of: reference.entity)
    else {
      throw ProjectionFault("an event speaks of a relationship with the tag \(link.relationship), which is not there")
    }
    guard isLive(owner) else { throw try missing(owner) }
    let entity = changes[owner].key.entity
    if flatModel.entities[entity].usesChangedAt { try take(dependents.entities[entity].changedAt, of: owner) }

    let relationship = flatModel[reference]
    let old = moment.isForward ? link.from : link.to
    let new = moment.isForward ? link.to : link.from
    let oldOrder = moment.isForward ? link.oldOrder : link.newOrder
    let newOrder = moment.isForward ? link.newOrder : link.oldOrder
    if relationship.hasDependents, old != new {
      // A to-many owner may lose or gain a target, but never both in one event.
      try noteLinkChange(reference, owner: owner, old: old, new: new)
    }
    if let old { removeRows(relationship, owner: changes[owner].key.id, target: old, orderKey: oldOrder) }
    if relationship.isAcyclic, new != nil { noteAcyclicLink(reference, of: owner, at: moment) }
    if let new { putRows(relationship, owner: changes[owner].key.id, target: new, orderKey: newOrder) }
    try replaceRecord(
      owner, by: event, at: moment, hasField: relationship.isInRecord,
      mayLackRequired: !relationship.isMany && new == nil)
    // A soft link changes nothing in its target, which need not exist.
    if relationship.isSoft { return }
    if let from = link.from, from != link.to {
      try touchTarget(from, of: relationship, previous: link.fromPrevious, at: moment)
    }
    if let to = link.to { try touchTarget(to, of: relationship, previous: link.toPrevious, at: moment) }
  }

  /// Writes the rows of a link.
  ///
  /// For a to-many owner there is a row in each direction, else only the inverse row, because a to-one owner keeps the
  /// link in its record. A relationship that is its own inverse has a row in each direction, under its one tag: a link of
  /// an object to itself is one row.
  ///
  /// The order key is in the row of the ordered side. If both sides are to-many, the other row has it as its value.
  private func putRows(
    _ relationship: FlatModel.Relationship, owner: ObjectID, target: ObjectID, orderKey: RawSpan
  ) {
    let none = orderKey.extracting(0..<0)
    if !relationship.isInRecord {
      putRow(relationship.tag, from: owner, orderKey: orderKey, to: target, value: none)
      putRow(relationship.inverseTag, from: target, orderKey: none, to: owner, value: orderKey)
    } else {
      putRow(relationship.inverseTag, from: target, orderKey: orderKey, to: owner, value: none)
    }
  }

  private func putRow(
    _ relationship: Tag, from source: ObjectID, orderKey: RawSpan, to target: ObjectID, value: RawSpan
  ) {
    var key = takeKeyBuffer()
    RowKey.link(relationship, from: source, orderKey: orderKey, to: target, into: &key)
    layer.links.put(key, value)
    giveBack(keyBuffer: key)
  }

  private func removeRows(
    _ relationship: FlatModel.Relationship, owner: ObjectID, target: ObjectID, orderKey: RawSpan
  ) {
    var key = takeKeyBuffer()
    if !relationship.isInRecord {
      RowKey.link(relationship.tag, from: owner, orderKey: orderKey, to: target, into: &key)
      layer.links.delete(key)
      RowKey.link(relationship.inverseTag, from: target, orderKey: orderKey.extracting(0..<0), to: owner, into: &key)
    } else {
      RowKey.link(relationship.inverseTag, from: target, orderKey: orderKey, to: owner, into: &key)
    }
    layer.links.delete(key)
    giveBack(keyBuffer: key)
  }

  /// Records in a target that a commit has touched it; its own times of change stay.
  private func touchTarget(
    _ id: ObjectID, of relationship: FlatModel.Relationship, previous: Position?, at moment: Moment
  ) throws {
    let index = try touch(ObjectKey(entity: relationship.target, id: id))
    guard isLive(index) else {
      // When the commit that inserted the target is undone, the insertion is undone later, by its own event.
      throw try missing(index)
    }
    if relationship.isInverseRequired { changes[index].mayLackRequired = true }
    var stamps = try stamps(index)
    let last = moment.isForward ? moment.position : previous ?? stamps.created
    guard stamps.last != last else { return }
    stamps.last = last
    try restamp(index, stamps)
  }

  /// Takes the keys, and records the derived values, that an added or removed link may change.
  private func noteLinkChange(
    _ reference: RelationshipReference, owner: Int, old: ObjectID?, new: ObjectID?
  ) throws {
    let relationship = model[reference]
    let inverse = RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
    let ownerKey = changes[owner].key
    if !relationship.isMany {
      try take(dependents.entities[ownerKey.entity].targets[reference.relationship], of: owner)
    }
    if let old { try noteEnd(old, of: ownerKey, reference, inverse, isAdded: false) }
    if let new { try noteEnd(new, of: ownerKey, reference, inverse, isAdded: true) }
  }

  /// Takes the keys of a target, and records the derived values at both ends.
  private func noteEnd(
    _ target: ObjectID, of owner: ObjectKey, _ reference: RelationshipReference, _ inverse: RelationshipReference,
    isAdded: Bool
  ) throws {
    let target = try concrete(ObjectKey(entity: inverse.entity, id: target))
    let rows = dependents.entities[target.entity].targets[inverse.relationship]
    if !rows.isEmpty { try take(rows, of: try touch(target)) }
    try noteLink(from: owner, over: reference, to: target, isAdded: isAdded)
    // The link of an object to itself over a relationship that is its own inverse is one row, and one target.
    if inverse == model.declaring(reference), target.id == owner.id { return }
    try noteLink(from: target, over: inverse, to: owner, isAdded: isAdded)
  }

  /// Returns whether a touched object is in the hierarchy of an entity.
  ///
  /// It need not have the fields of the entity: by a later model a relationship may be declared further down.
  private func isInHierarchy(_ changed: Int, of entity: Int) -> Bool {
    flatModel.entities[changes[changed].key.entity].root == flatModel.entities[entity].root
  }

  /// Returns the targets of a relationship after the events so far.
  ///
  /// The targets are in their order if the relationship has one, else sorted by id.
  ///
  /// - Complexity: O(*k* + log *n*) for *k* targets.
  package func targets(of reference: RelationshipReference, from source: ObjectID) throws -> [ObjectID] {
    let relationship = flatModel[reference]
    if relationship.isInRecord {
      let key = ObjectKey(entity: reference.entity, id: source)
      return try target(of: reference, from: key).map { [$0.id] } ?? []
    }
    return try reader.linkTargets(relationship.tag, from: source)
  }

  /// Returns the target of a to-one relationship, owned or not.
  package func target(of reference: RelationshipReference, from source: ObjectKey) throws -> ObjectKey? {
    let relationship = flatModel[reference]
    let id =
      relationship.isInRecord
      ? try ownedTarget(of: source, relationship.tag) : try reader.linkTargets(relationship.tag, from: source.id).first
    guard let id else { return nil }
    let target = ObjectKey(entity: relationship.target, id: id)
    return try !relationship.isSoft || exists(target) ? target : nil
  }

  /// Returns the value of a link's row after the events so far, or `nil` if there is no row.
  @unsafe
  @_lifetime(immortal)
  package func unsafeLinkValue(for key: [UInt8]) throws -> RawSpan? {
    try unsafe reader.unsafeValue(for: key, in: .links)
  }
}
