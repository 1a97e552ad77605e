import DaybookEngine
import DaybookModel
import LMDB

/// Checks of link events.
extension EventCheck {
  mutating func checkLink(_ event: EventView, from owner: ObjectKey, _ record: RecordView, _ fold: Fold) throws {
    guard let link = event.link, let reference = model.relationship(tagged: link.relationship),
      model.entities[reference.entity].root == model.entities[owner.entity].root, model[reference].isOwner
    else {
      throw ProjectionFault("it speaks of a relationship that \(model.entities[owner.entity].name) does not own")
    }
    let relationship = model[reference]
    let name = "\(model.entities[owner.entity].name).\(relationship.name)"
    let inverse = model.inverse(of: reference)
    let isOrdered = relationship.isOrdered || model[inverse].isOrdered
    if event.kind == .related {
      let isThere = present.relationship(tagged: link.relationship).map { !present[$0].isRetired } ?? false
      expect(isThere, "it relates over \(name), which the model of its time does not have")
      try checkKinds(event, link, name, fold)
      if present.isAcyclic(link.relationship) { noteAcyclicLink(reference, of: owner.id) }
    }
    try checkPlace(link.oldOrder, of: link.from, isOrdered, name)
    try checkPlace(link.newOrder, of: link.to, isOrdered, name)
    if let to = link.to, isOrdered {
      let (side, source, target) =
        relationship.isOrdered ? (relationship.tag, owner.id, to) : (model[inverse].tag, to, owner.id)
      try noteSharedPlace(link.newOrder, side, source, target, name, fold)
    }
    if event.kind == .unrelated {
      expect(link.from != nil && link.newOrder.isEmpty, "it removes a link of \(name) without saying which")
    } else {
      expect(link.to != link.from || !equalBytes(link.oldOrder, link.newOrder), "it changes nothing of \(name)")
    }
    if relationship.isInRecord {
      try checkOne(link, relationship, name, record, fold)
    } else {
      try checkRows(link, relationship, name, owner, fold)
    }
    if relationship.isMirrored { try checkEnds(link, relationship, name, owner, fold) }
    // The record of a target does not note soft links.
    if relationship.isSoft { return }
    if let from = link.from {
      try checkPrevious(of: ObjectKey(entity: relationship.target, id: from), link.fromPrevious, fold)
    }
    if let to = link.to {
      try checkPrevious(of: ObjectKey(entity: relationship.target, id: to), link.toPrevious, fold)
    }
  }

  /// Checks that both ends of a new link are of entities between which the relationship leads, if these are in hierarchies.
  private func checkKinds(_ event: EventView, _ link: LinkView, _ name: String, _ fold: Fold) throws {
    guard present.hasHierarchies, let reference = present.relationship(tagged: link.relationship),
      let owner = present.entity(tagged: event.entity)
    else { return }
    expect(
      present.entities[owner].isKind(of: present.entities[reference.entity]),
      "it relates over \(name), which its object does not have in the model of its time")
    let target = present.entities[present[reference].target]
    guard target.hasRelatives, let to = link.to, let number = model.entity(tagged: target.tag) else { return }
    let isKind = try fold.unsafeRecord(of: ObjectKey(entity: number, id: to)) != nil
    expect(isKind, "it relates over \(name) to \(to), which is no \(target.name)")
  }

  /// Checks that only targets in an ordered relationship have an order key.
  ///
  /// An invalid key must not reach a row: a key that is too long does not fit, and no key may fit before a key of
  /// lowest digits.
  private func checkPlace(_ order: RawSpan, of target: ObjectID?, _ isOrdered: Bool, _ name: String) throws {
    guard isOrdered && target != nil ? OrderKey.isKey(order) : order.isEmpty else {
      throw ProjectionFault("it holds a place in \(name) that cannot be")
    }
  }

  private mutating func noteSharedPlace(
    _ order: RawSpan, _ side: Tag, _ source: ObjectID, _ target: ObjectID, _ name: String, _ fold: Fold
  ) throws {
    var prefix: [UInt8] = []
    RowKey.place(side, from: source, orderKey: order, into: &prefix)
    var row = prefix
    row.append(target)
    let others =
      try fold.reader.linkCount(prefix, atMost: 2) - (fold.reader.unsafeValue(for: row, in: .links) == nil ? 0 : 1)
    if others > 0 { note(SharedPlace(eventNumber: eventNumber, relationship: name, rowPrefix: prefix)) }
  }

  /// Checks a link of a to-many owner, or of a relationship that is its own inverse.
  ///
  /// The link must exist before the event exactly if the event states it as the former one.
  private func checkRows(
    _ link: LinkView, _ relationship: ResolvedRelationship, _ name: String, _ owner: ObjectKey, _ fold: Fold
  ) throws {
    guard let target = link.to ?? link.from else { throw ProjectionFault("it speaks of no link of \(name)") }
    expect(link.from == nil || link.to == nil || link.from == link.to, "it replaces one target of \(name) by another")
    let inverse = model.entities[relationship.target].relationships[relationship.inverse]
    var key: [UInt8] = []
    RowKey.links(inverse.tag, from: target, into: &key)
    key.append(owner.id)
    let row = try fold.reader.unsafeValue(for: key.rawSpan, in: .links)
    expect((row != nil) == (link.from != nil), "it is wrong about whether \(name) has \(target)")
    if let row {
      expect(equalBytes(row, link.oldOrder), "the former place of \(target) in \(name) that it holds is wrong")
    }
  }

  /// Checks the objects of a link over a relationship that is its own inverse: the owner is the lesser one, and neither has
  /// a partner already if the relationship is to-one.
  private func checkEnds(
    _ link: LinkView, _ relationship: ResolvedRelationship, _ name: String, _ owner: ObjectKey, _ fold: Fold
  ) throws {
    guard let target = link.to ?? link.from else { return }
    expect(owner.id <= target, "it names \(owner.id) as the owner of a link of \(name), which \(target) is")
    guard !relationship.isMany, link.from == nil else { return }
    for end in [owner.id, target] {
      let isTaken = try !fold.reader.linkTargets(relationship.tag, from: end).isEmpty
      expect(!isTaken, "it gives \(name) a target that has a partner already")
    }
  }

  /// Checks a link of a to-one owner, which is in the owner's record.
  private func checkOne(
    _ link: LinkView, _ relationship: ResolvedRelationship, _ name: String, _ record: RecordView, _ fold: Fold
  ) throws {
    if let field = try FieldReader.field(relationship.tag, in: record.fields) {
      let target = try field.target()
      let place = try field.orderKey()
      expect(link.from == target, "the former target of \(name) that it holds is not the object's")
      expect(equalBytes(place, link.oldOrder), "the former place in \(name) that it holds is not the object's")
    } else {
      expect(link.from == nil && link.oldOrder.isEmpty, "it holds a former target of \(name), which had none")
    }
    let inverse = model.entities[relationship.target].relationships[relationship.inverse]
    guard !inverse.isMany, let to = link.to, to != link.from else { return }
    var isTaken = false
    try fold.reader.forEachLink(inverse.tag, from: to) { _, _ in
      isTaken = true
      return false
    }
    expect(!isTaken, "it gives \(name) a target that has a partner already")
  }
}

private extension ResolvedModel {
  /// Whether a relationship or its inverse may not lead in a cycle.
  func isAcyclic(_ relationship: Tag) -> Bool {
    guard let reference = self.relationship(tagged: relationship) else { return false }
    return self[reference].isAcyclic || self[inverse(of: reference)].isAcyclic
  }
}
