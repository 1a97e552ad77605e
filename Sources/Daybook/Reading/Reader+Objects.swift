import DaybookModel

extension Reader {
  /// Calls `body` with the live objects of an entity by rising id, until it returns false.
  ///
  /// - Complexity: O(*n*) for *n* objects, including deleted ones.
  package func forEachObject(of entity: Int, _ body: (ObjectID, RecordView) throws -> Bool) throws {
    var prefix: [UInt8] = []
    prefix.appendFixed(model.entities[entity].tag.number)
    var cursor = try makeCursor(in: .objects)
    var isValid = try cursor.seek(atOrAfter: prefix.span.bytes)
    while isValid, hasPrefix(cursor.key, prefix.span.bytes) {
      let record = try RecordView(cursor.value.detached.bytes)
      if !record.isTombstone {
        guard try body(RowKey.leadingID(of: cursor.key), record) else { return }
      }
      isValid = try cursor.advance()
    }
  }

  /// - Throws: `StoreError` with the code `badModel` if the objects do not meet a condition of a new model.
  package func check(_ checks: [ModelCheck], in model: ResolvedModel) throws {
    let faults = try checks.filter { try !isMet($0.condition) }.map(\.fault)
    guard faults.isEmpty else { throw StoreError(.badModel, "\(ModelError(faults))") }
  }

  private func isMet(_ condition: ModelCheck.Condition) throws -> Bool {
    var isMet = true
    switch condition {
    case .noObjects(let entity):
      try forEachObject(of: entity) { _, _ in
        isMet = false
        return false
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
    return isMet
  }
}
