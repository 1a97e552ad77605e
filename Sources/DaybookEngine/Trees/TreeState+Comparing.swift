import DaybookModel

extension TreeState {
  /// Returns whether a shown value of an object differs in another state: an attribute, or an owned to-one link.
  ///
  /// The object must exist in both states.
  package func differs(_ id: ObjectID, from other: TreeState) throws -> Bool {
    guard let reader, let former = other.reader else { return reader !== other.reader }
    let key = ObjectKey(entity: tree.entity, id: id)
    guard let bytes = try unsafe reader.unsafeRecord(of: key), let old = try unsafe former.unsafeRecord(of: key) else {
      return true
    }
    let (present, past) = (try RecordView(bytes), try RecordView(old))
    let entity = reader.model.entities[try reader.model.entity(of: present, in: tree.entity)]
    for attribute in entity.attributes where !attribute.isRetired {
      if try present.value(of: attribute) != past.value(of: attribute) { return true }
    }
    for link in entity.relationships where link.isOwner && !link.isMany && !link.isRetired {
      guard link.isInRecord else {
        if try reader.linkTargets(link.tag, from: id) != former.linkTargets(link.tag, from: id) { return true }
        continue
      }
      let target = try FieldReader.field(link.tag, in: present.fields)?.target()
      if try target != FieldReader.field(link.tag, in: past.fields)?.target() { return true }
    }
    return false
  }

  /// Returns the objects above an object, the nearest first, and the members of a cycle among them.
  ///
  /// An object in a cycle has the others of the cycle above it, but not itself.
  ///
  /// - Complexity: O(*d* log *n*) for *d* objects above it.
  package func ancestors(of id: ObjectID) throws -> (ids: [ObjectID], cycle: Set<ObjectID>) {
    var ids: [ObjectID] = []
    var places: [ObjectID: Int] = [id: -1]
    var next = try above(id)
    while let present = next {
      // The cycle begins where the chain comes back to.
      if let start = places[present] { return (ids, Set(ids[max(start, 0)...]).union(start < 0 ? [id] : [])) }
      places[present] = ids.count
      ids.append(present)
      next = try above(present)
    }
    return (ids, [])
  }

  /// Returns the ids of the tree.
  ///
  /// - Complexity: O(*n* log *n*) for *n* nodes, and the objects of the entity if there is no root.
  package func forEachNode(_ body: (_ id: ObjectID, _ parent: ObjectID?, _ level: Int) throws -> Void) throws {
    var pending = try list(below: nil).reversed().map { (id: $0.id, parent: ObjectID?.none, level: 0) }
    while let node = pending.popLast() {
      try body(node.id, node.parent, node.level)
      guard node.level < depth else { continue }
      pending += try list(below: node.id).reversed().map { (id: $0.id, parent: node.id, level: node.level + 1) }
    }
  }
}
