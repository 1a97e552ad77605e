import DaybookModel

extension Reader {
  /// Calls `body` with the live objects of an entity and its descendants by rising id, until it returns false.
  ///
  /// - Parameter last: The object after which to begin; `nil` for the first one.
  /// - Complexity: O(*n*) for *n* objects of the entity's hierarchy, including deleted ones.
  package func forEachObject(
    of entity: Int, after last: ObjectID? = nil, _ body: (ObjectID, RecordView) throws -> Bool
  ) throws {
    // Several tags only where another model's rows are read, whose objects come in any order.
    for tag in rowTags(of: entity) {
      guard try forEachObject(of: entity, tagged: tag, after: last, body) else { return }
    }
  }

  /// - Returns: Whether `body` has never returned false.
  private func forEachObject(
    of entity: Int, tagged tag: Tag, after last: ObjectID?, _ body: (ObjectID, RecordView) throws -> Bool
  ) throws -> Bool {
    let testsKind = model.entities[entity].lineage.count > 1
    var prefix: [UInt8] = []
    prefix.appendFixed(tag.number)
    var start = prefix
    if let last {
      RowKey.object(tag, last, into: &start)
      // The first key after the object's own.
      start.append(0)
    }
    var cursor = try makeCursor(in: .objects, of: tag)
    var isValid = try cursor.seek(atOrAfter: start.rawSpan)
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      let record = try unsafe RecordView(cursor.value.unsafeBytes.unsafeSpan)
      if !record.isTombstone, try !testsKind || isKind(record, of: entity, tagged: tag) {
        guard try body(RowKey.leadingID(of: cursor.key), record) else { return false }
      }
      isValid = try cursor.advance()
    }
    return true
  }

  /// - Throws: `StoreError` with the code `badModel` if the objects do not meet a condition of a new model.
  package func check(_ checks: [ModelCheck], in model: ResolvedModel) throws {
    let faults = try checks.compactMap { try fault(of: $0) }
    guard faults.isEmpty else { throw StoreError(.badModel, "\(ModelError(faults))") }
  }

  /// Returns the fault of a check whose condition does not hold, or `nil` if it holds.
  private func fault(of check: ModelCheck) throws -> Fault? {
    var isMet = true
    switch check.condition {
    case .noCycles(let entity, let number):
      let reference = RelationshipReference(entity: entity, relationship: number)
      guard let cycle = try cycle(over: reference) else { return nil }
      return Fault(check.fault.place, "\(check.fault.message): \(cycle.path)")
    case .noObjects(let entity):
      try forEachObject(of: entity) { _, record in
        isMet = try self.model.entity(of: record, in: entity) != entity
        return isMet
      }
    case .noNulls(let entity, let number):
      let attribute = model.entities[entity].attributes[number]
      try forEachObject(of: entity) { _, record in
        isMet = try !record.value(of: attribute).isNull
        return isMet
      }
    case .noEmptyLinks(let entity, let number):
      let reference = RelationshipReference(entity: entity, relationship: number)
      try forEachObject(of: entity) { id, _ in
        isMet = try !targets(of: reference, from: id).isEmpty
        return isMet
      }
    }
    return isMet ? nil : check.fault
  }

  /// Reads an object from its record.
  ///
  /// - Parameter source: The place from which its large values are read; `nil` is the reader's.
  func object(
    _ key: ObjectKey, _ record: RecordView, largeValues source: (any LargeValueSource)? = nil
  ) throws -> StoredObject {
    let entity = model.entities[try model.entity(of: record, in: key.entity)]
    let layout = entity.recordLayout
    var foreignTargets: [ObjectID?] = []
    for link in layout.foreignLinks {
      let reference = RelationshipReference(entity: entity.index, relationship: link.relationship)
      foreignTargets.append(try targets(of: reference, from: key.id).first)
    }
    return try StoredObject(
      key.id, record, layout: layout, foreignTargets: foreignTargets, largeValues: source ?? largeValues)
  }

  /// Reads a live object, or returns `nil` if it does not exist.
  package func object(_ key: ObjectKey) throws -> StoredObject? {
    guard let bytes = try unsafe unsafeRecord(of: key) else { return nil }
    let record = try RecordView(bytes)
    return record.isTombstone ? nil : try object(key, record)
  }

  /// Reads the live object with an identity, of any entity, or returns `nil` if it does not exist.
  package func object(_ id: ObjectID) throws -> StoredObject? { try find(id) { try object($0, $1) } }

  /// Returns the key of the live object with an identity, of any entity, or `nil`.
  package func find(_ id: ObjectID) throws -> ObjectKey? { try find(id) { key, _ in key } }

  private func find<Result>(_ id: ObjectID, _ body: (ObjectKey, RecordView) throws -> Result) throws -> Result? {
    let roots = model.roots
    if model.entities.indices.contains(likelyEntity),
      let found = try live(ObjectKey(entity: likelyEntity, id: id), body)
    {
      return found
    }
    for entity in roots where entity != likelyEntity {
      guard let found = try live(ObjectKey(entity: entity, id: id), body) else { continue }
      likelyEntity = entity
      return found
    }
    try proveAbsence(of: id)
    return nil
  }

  /// Calls `body` with the object of a root entity's hierarchy, and the key with the object's own entity.
  private func live<Result>(
    _ key: ObjectKey, _ body: (ObjectKey, RecordView) throws -> Result
  ) throws -> Result? {
    guard let bytes = try unsafe unsafeFoundRecord(of: key) else { return nil }
    let record = try RecordView(bytes)
    if record.isTombstone { return nil }
    return try body(ObjectKey(entity: model.entity(of: record, in: key.entity), id: key.id), record)
  }

  package func target(of reference: RelationshipReference, from source: ObjectKey) throws -> ObjectKey? {
    try targets(of: reference, from: source.id).first.map { ObjectKey(entity: model[reference].target, id: $0) }
  }

  /// Returns the targets of a relationship: in their order if it is ordered, else by id.
  package func targets(of reference: RelationshipReference, from source: ObjectID) throws -> [ObjectID] {
    let relationship = model[reference]
    guard relationship.isInRecord else { return try linkTargets(relationship.tag, from: source) }
    guard let target = try ownedTarget(of: ObjectKey(entity: reference.entity, id: source), relationship.tag),
      try !relationship.isSoft || exists(ObjectKey(entity: relationship.target, id: target))
    else { return [] }
    return [target]
  }
}
