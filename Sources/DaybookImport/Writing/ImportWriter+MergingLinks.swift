#if Import

import Daybook
import DaybookEngine
import DaybookModel

/// How the events of a relationship name its links.
private struct LinkTag {
  /// The tag of the side that owns the links.
  let tag: Tag
  /// Whether the relationship is this side.
  let isOwner: Bool
  /// Whether the other end has the link by the same relationship.
  let isMirrored: Bool

  init(_ link: LinkRoute, _ tx: borrowing Transaction) throws {
    let model = tx.resolvedModel
    let reference = try model.requireRelationship(link.name, of: model.requireEntity(link.entity))
    let relationship = model.entities[reference.entity].relationships[reference.relationship]
    (isOwner, isMirrored) = (relationship.isOwner, relationship.isMirrored)
    tag =
      isOwner ? relationship.tag : model.entities[relationship.target].relationships[relationship.inverse].tag
  }
}

extension ImportWriter {
  /// Merges the targets of one object.
  func mergeLinks(_ group: LinkGroup, _ link: LinkRoute, _ tx: borrowing Transaction) throws {
    guard try exists(group.source, tx) else { return }
    let present = try tx.read { try $0.linkTargets(of: group.source, link.name) }
    if link.isOrdered ? present == group.targets : Set(present) == Set(group.targets) { return }
    let tag = try LinkTag(link, tx)
    let former = formerTargets(of: group.source, tag.tag, isOwner: tag.isOwner)
    guard link.isToMany else {
      return try mergeTarget(group, link, tx, present: present.first, former: former.first, tag)
    }
    let (wanted, known, had) = (Set(group.targets), Set(former), Set(present))
    for target in present where !wanted.contains(target) && known.contains(target) && !isGone(target) {
      try tx.unrelate(group.source, link.name, from: target)
    }
    for target in group.targets where !had.contains(target) && !known.contains(target) {
      guard try exists(target, tx), try isFree(target, group, link, tx, tag) else { continue }
      try tx.relate(group.source, link.name, to: target, at: link.isOrdered ? .last : .unspecified)
    }
    if link.isOrdered { try mergeOrder(group, link, tx, present: present, former: former) }
  }

  /// Returns the targets that former imports have given an object; an object that was inserted again has none.
  private func formerTargets(of id: ObjectID, _ tag: Tag, isOwner: Bool) -> [ObjectID] {
    guard !revived.contains(id), let imported = merge?.imported[id] else { return [] }
    return imported.targets(tag, isOwner: isOwner).filter { !revived.contains($0) }
  }

  /// Returns whether the source has no row of an object any longer.
  ///
  /// Its links stay: it can require them until it is deleted, or stays because the store has changed it.
  private func isGone(_ id: ObjectID) -> Bool { merge?.goneIDs.contains(id) ?? false }

  private func exists(_ id: ObjectID, _ tx: borrowing Transaction) throws -> Bool {
    if inserted.contains(id) { return true }
    return try tx.read { try $0.object(id) } != nil
  }

  /// Merges a to-one link.
  private func mergeTarget(
    _ group: LinkGroup, _ link: LinkRoute, _ tx: borrowing Transaction, present: ObjectID?, former: ObjectID?,
    _ tag: LinkTag
  ) throws {
    let wanted = group.targets.first
    guard wanted != present else { return }
    if former == wanted, !inserted.contains(group.source) { return }
    guard former == present || sourceWins else {
      return tally.addConflict("\(link.target) was changed in both; the store's link stays", group.name)
    }
    guard let wanted else {
      if let present, !isGone(present) { try tx.unrelate(group.source, link.name, from: present) }
      return
    }
    guard try exists(wanted, tx), try isFree(wanted, group, link, tx, tag) else { return }
    try tx.relate(group.source, link.name, to: wanted)
  }

  /// Returns whether a target may get the link: it has no other one that the store gave it.
  private func isFree(
    _ target: ObjectID, _ group: LinkGroup, _ link: LinkRoute, _ tx: borrowing Transaction, _ tag: LinkTag
  ) throws -> Bool {
    guard let inverse = link.inverse, !inverse.isToMany, !sourceWins else { return true }
    let holder = try tx.read { try $0.linkTargets(of: target, inverse.name) }.first
    let former = formerTargets(of: target, tag.tag, isOwner: tag.isMirrored || !tag.isOwner).first
    // Of a relationship that is its own inverse the target decides as the source does: what the store took from it stays
    // away, too.
    if holder == former || holder == nil && !tag.isMirrored { return true }
    tally.addConflict("\(inverse.target) was changed in both; the store's link stays", group.name)
    return false
  }

  /// Brings the targets into the source's order, unless the store has given them another one.
  private func mergeOrder(
    _ group: LinkGroup, _ link: LinkRoute, _ tx: borrowing Transaction, present: [ObjectID], former: [ObjectID]
  ) throws {
    let now = try tx.read { try $0.linkTargets(of: group.source, link.name) }
    let all = Set(now)
    let wanted = group.targets.filter { all.contains($0) }
    let common = Set(wanted).intersection(former).intersection(present)
    let base = former.filter(common.contains)
    let isChangedHere = present.filter(common.contains) != base
    guard !isChangedHere || sourceWins else {
      if wanted.filter(common.contains) != base {
        tally.addConflict("\(link.target) was ordered in both; the store's order stays", group.name)
      }
      return
    }
    guard now.filter(Set(wanted).contains) != wanted else { return }
    // The targets that only the store has come first, in their order.
    for target in wanted { try tx.relate(group.source, link.name, to: target, at: .last) }
  }
}

#endif
