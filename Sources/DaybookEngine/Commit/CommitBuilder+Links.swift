import DaybookModel
import LMDB

/// The verbs that relate and unrelate objects.
extension CommitBuilder {
  /// A link, seen from its owner.
  private struct OwnedLink {
    /// The relationship of the owner.
    let reference: RelationshipReference
    let owner: ObjectKey
    let target: ObjectKey
  }

  private func link(
    _ source: ObjectKey, _ reference: RelationshipReference, _ target: ObjectKey, _ fold: Fold
  ) -> OwnedLink {
    let relationship = fold.flatModel[reference]
    // Either end shows a link of a relationship that is its own inverse: the lesser identity is its owner.
    if relationship.isMirrored, target.id < source.id {
      return OwnedLink(reference: reference, owner: target, target: source)
    }
    if relationship.isOwner { return OwnedLink(reference: reference, owner: source, target: target) }
    let inverse = RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
    return OwnedLink(reference: inverse, owner: target, target: source)
  }

  private func resolve(
    _ id: ObjectID, _ name: String, _ targetID: ObjectID, _ fold: Fold
  ) throws -> (source: ObjectKey, reference: RelationshipReference, target: ObjectKey) {
    let source = try require(id, fold)
    let reference = try requireRelationship(name, of: source.entity, fold)
    let expected = fold.flatModel[reference].target
    let key = ObjectKey(entity: expected, id: targetID)
    if fold.flatModel[reference].isSoft { return (source, reference, key) }
    if let target = try fold.expectedLive(key) { return (source, reference, target) }
    let other = try require(targetID)
    throw StoreError(
      .badValue,
      "\(model.entities[source.entity].name).\(name) leads to \(model.entities[expected].name), but \(targetID) is a \(model.entities[other.entity].name)."
    )
  }

  private func requireRelationship(_ name: String, of entity: Int, _ fold: Fold) throws -> RelationshipReference {
    let places = fold.flatModel.entities[entity].relationships
    if likelyRelationship < places.count,
      fold.flatModel.relationshipNames[places.lowerBound + likelyRelationship] == name
    {
      return RelationshipReference(entity: entity, relationship: likelyRelationship)
    }
    let reference = try fold.model.requireRelationship(name, of: entity)
    likelyRelationship = reference.relationship
    return reference
  }

  /// Links two objects, or moves the target of a link that exists to a place.
  package func relate(_ id: ObjectID, _ name: String, to targetID: ObjectID, at place: Place) throws {
    try perform { try makeLink(id, name, to: targetID, at: place) }
    record(.relate(id, relationship: name, to: targetID, at: place))
  }

  private func makeLink(_ id: ObjectID, _ name: String, to targetID: ObjectID, at place: Place) throws {
    let fold = fold
    let (source, reference, target) = try resolve(id, name, targetID, fold)
    if place != .unspecified, !fold.flatModel[reference].isOrdered {
      throw StoreError(
        .badValue, "\(model.entities[source.entity].name).\(name) is not ordered, so nothing is before or after.",
        advice: "Relate without a place, or declare the relationship ordered.")
    }
    let link = link(source, reference, target, fold)
    let relationship = fold.flatModel[link.reference]
    var present = try presentLink(link, fold)
    if present.isLinked, place == .unspecified { return }
    if !present.isLinked { try freePartners(of: link, fold) }
    var order: [UInt8] = []
    if let ordered = orderedSide(of: link, fold) {
      order = try makeOrderKey(ordered, for: link, at: place)
      // Renumbering the list may have given the link itself another key.
      present = try presentLink(link, fold)
      // Compared only if the link exists: equal keys of different lists mean nothing.
      if present.isLinked, order == present.order { return }
    }
    try recordLink(
      link,
      LinkChange(
        relationship: relationship.tag, from: present.isLinked ? link.target.id : present.other, to: link.target.id,
        oldOrder: present.order, newOrder: order), fold)
  }

  /// Removes the link between two objects, if there is one.
  package func unrelate(_ id: ObjectID, _ name: String, from targetID: ObjectID) throws {
    try perform {
      let fold = fold
      let (source, reference, target) = try resolve(id, name, targetID, fold)
      try unrelate(link(source, reference, target, fold))
    }
    record(.unrelate(id, relationship: name, from: targetID))
  }

  private func unrelate(_ link: OwnedLink) throws {
    let fold = fold
    let present = try presentLink(link, fold)
    guard present.isLinked else { return }
    try recordLink(
      link,
      LinkChange(
        relationship: fold.flatModel[link.reference].tag, from: link.target.id, to: nil, oldOrder: present.order),
      fold)
  }

  /// Unrelates two objects that are known to be linked, as part of a delete.
  func unrelate(_ source: ObjectKey, _ reference: RelationshipReference, _ target: ObjectID) throws {
    let fold = fold
    let target = try fold.concrete(ObjectKey(entity: fold.flatModel[reference].target, id: target))
    try unrelate(link(source, reference, target, fold))
  }

  private func recordLink(_ link: OwnedLink, _ change: consuming LinkChange, _ fold: Fold) throws {
    guard let record = try unsafe fold.unsafeExpectedRecord(of: link.owner) else { return }
    let former = try RecordView(record).stamps
    // A former target may be of another entity of the hierarchy.
    let target = fold.flatModel[link.reference].target
    if !fold.flatModel[link.reference].isSoft {
      if let from = change.from { change.fromPrevious = try fold.positionBefore(ObjectKey(entity: target, id: from)) }
      if let to = change.to { change.toPrevious = try fold.positionBefore(ObjectKey(entity: target, id: to)) }
    }
    let before = try fold.positionBefore(link.owner)
    let entity = fold.flatModel.entities[link.owner.entity].tag
    let owner = link.owner.id
    try log(fold) { try $0.link(owner, entity: entity, previous: before, former: former, change: change) }
  }

  /// The present state of an owner's relationship.
  private struct PresentLink {
    var isLinked = false
    /// The target of a to-one relationship, if it is another object.
    var other: ObjectID?
    /// The order key of the present link; empty for none.
    var order: [UInt8] = []
  }

  private func presentLink(_ link: OwnedLink, _ fold: Fold) throws -> PresentLink {
    let relationship = fold.flatModel[link.reference]
    if !relationship.isInRecord {
      var key: [UInt8] = []
      RowKey.links(relationship.inverseTag, from: link.target.id, into: &key)
      key.append(link.owner.id)
      guard let order = try unsafe reader.unsafeValue(for: key.rawSpan, in: .links) else {
        try reader.proveAbsence(of: key.rawSpan, in: .links)
        return PresentLink()
      }
      return PresentLink(isLinked: true, order: [UInt8](order))
    }
    guard let record = try unsafe fold.unsafeRecord(of: link.owner) else { return PresentLink() }
    let view = try RecordView(record)
    guard let field = try FieldReader.field(relationship.tag, in: view.fields) else { return PresentLink() }
    let target = try field.target()
    let order = [UInt8](try field.orderKey())
    return target == link.target.id
      ? PresentLink(isLinked: true, order: order) : PresentLink(other: target, order: order)
  }

  /// Unrelates the former owner of a target that can have only one owner; of a relationship that is its own inverse, the
  /// former partners of both objects.
  private func freePartners(of link: OwnedLink, _ fold: Fold) throws {
    let relationship = fold.flatModel[link.reference]
    guard !relationship.isMany, !relationship.isInverseMany else { return }
    if relationship.isMirrored {
      for end in [link.owner, link.target] {
        // The objects of a link that exists are not here: a partner of one is not the other one.
        guard let former = try fold.targets(of: link.reference, from: end.id).first else { continue }
        try unrelate(end, link.reference, former)
      }
      return
    }
    let inverse = RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
    guard let former = try fold.targets(of: inverse, from: link.target.id).first, former != link.owner.id
    else { return }
    try unrelate(
      OwnedLink(
        reference: link.reference, owner: try fold.concrete(ObjectKey(entity: link.reference.entity, id: former)),
        target: link.target))
  }

  // Order

  /// Returns the ordered side of a link with its object, or `nil` if neither is ordered.
  private func orderedSide(
    of link: OwnedLink, _ fold: Fold
  ) -> (reference: RelationshipReference, source: ObjectID)? {
    let relationship = fold.flatModel[link.reference]
    if relationship.isOrdered { return (link.reference, link.owner.id) }
    guard relationship.isInverseOrdered else { return nil }
    let inverse = RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
    return (inverse, link.target.id)
  }

  /// Makes the order key for a place; renumbers the list if the key would grow too long.
  private func makeOrderKey(
    _ side: (reference: RelationshipReference, source: ObjectID), for link: OwnedLink, at place: Place
  ) throws -> [UInt8] {
    let moved = side.reference == link.reference ? link.target.id : link.owner.id
    let key = try orderKey(side, of: moved, at: place)
    guard key.count > OrderKey.maximumSize else { return key }
    try renumber(side)
    return try orderKey(side, of: moved, at: place)
  }

  private func orderKey(
    _ side: (reference: RelationshipReference, source: ObjectID), of moved: ObjectID, at place: Place
  ) throws -> [UInt8] {
    let tag = model[side.reference].tag
    switch place {
    case .unspecified, .last:
      let last = try reader.lastOrderKey(tag, from: side.source)
      // The target is the last one already, so it keeps its key.
      if let last, last.target == moved { return last.key }
      return try OrderKey.between(last?.key, nil)
    case .before(let other), .after(let other):
      let isBefore = place == .before(other)
      guard other != moved, let key = try orderKey(side, of: other) else {
        throw StoreError(
          .notFound,
          "\(other) is not among the targets, so nothing can be put \(isBefore ? "before" : "after") it.")
      }
      let neighbour = try reader.orderedLink(tag, from: side.source, isBefore ? .before : .after, key, other)
      // The target is at this place already, so it keeps its key.
      if let neighbour, neighbour.target == moved { return neighbour.key }
      return isBefore ? try OrderKey.between(neighbour?.key, key) : try OrderKey.between(key, neighbour?.key)
    }
  }

  /// Returns the order key of a target in an ordered relationship, or `nil` if not a target.
  private func orderKey(
    _ side: (reference: RelationshipReference, source: ObjectID), of target: ObjectID
  ) throws -> [UInt8]? {
    let fold = fold
    let present = try presentLink(
      link(
        try fold.concrete(ObjectKey(entity: side.reference.entity, id: side.source)), side.reference,
        try fold.concrete(ObjectKey(entity: fold.flatModel[side.reference].target, id: target)), fold), fold)
    return present.isLinked ? present.order : nil
  }

  /// Sets new, short keys for all targets of an ordered relationship.
  private func renumber(_ side: (reference: RelationshipReference, source: ObjectID)) throws {
    let fold = fold
    let relationship = model[side.reference]
    let rows = try reader.orderedLinks(relationship.tag, from: side.source)
    // During renumbering two targets may share an order key: their rows still differ by target.
    for (row, key) in zip(rows, try OrderKey.numbering(rows.count)) where row.key != key {
      let link = link(
        try fold.concrete(ObjectKey(entity: side.reference.entity, id: side.source)), side.reference,
        try fold.concrete(ObjectKey(entity: relationship.target, id: row.target)), fold)
      try recordLink(
        link,
        LinkChange(
          relationship: fold.flatModel[link.reference].tag, from: link.target.id, to: link.target.id, oldOrder: row.key,
          newOrder: key), fold)
    }
  }
}
