import DaybookModel
import LMDB

/// Finds objects by the values of uniqueness constraints while a commit is in progress.
///
/// The rows of constraints are replaced only when the commit is finished: within it they show the state before. Beside
/// them the fold keeps the keys of the objects that the commit touched, for each constraint that a
/// caller has used in this commit; the others cost nothing.
extension Fold {
  /// The objects with the same values. Two objects may share them before the end of the commit.
  typealias Holders = [UniqueKey: [ObjectID]]

  /// Returns the object that has the values of a constraint after the events so far, or `nil` if none has them.
  ///
  /// The object may be of any entity that is below the one that declares the constraint.
  ///
  /// - Parameter entity: An entity with the constraint.
  /// - Complexity: O(log *n*); the first call of a commit for a constraint adds the number of touched objects.
  package func holder(of key: UniqueKey, entity: Int) throws -> ObjectKey? {
    try settle()
    let entity = model.declaring(constraint: key.constraint, of: entity)
    let address = ConstraintAddress(entity: entity, constraint: key.constraint)
    if pendingHolders[address] == nil {
      pendingHolders[address] = [:]
      try touchObjects(of: entity)
      for index in changes.indices where isKind(index, of: entity) {
        try addHolder(index, at: address)
      }
    }
    if let id = try reader.holder(of: key) {
      // The commit may have changed the object since.
      let object = ObjectKey(entity: entity, id: id)
      guard let index = change(of: object) else { return try concrete(object) }
      if try unsafe uniqueKey(of: changes[index].current, at: address) == key { return changes[index].key }
    }
    guard let id = pendingHolders[address]?[key]?.first else { return nil }
    return try concrete(ObjectKey(entity: entity, id: id))
  }

  /// Touches the objects of an entity's hierarchy that the layers below have changed without the rows of constraints, as the steps of
  /// an editing context do.
  private func touchObjects(of entity: Int) throws {
    if parts.contains(.unique) { return }
    let tag = flatModel.entities[entity].rowTag
    var ids: [ObjectID] = []
    for layer in reader.layers.dropLast() {
      var start: [UInt8] = []
      start.appendFixed(tag.number)
      var cursor = layer.objects.makeCursor()
      var isValid = cursor.seek(atOrAfter: start.rawSpan)
      while isValid, cursor.key.byteCount >= 2, equalBytes(cursor.key.extracting(0..<2), start.rawSpan) {
        ids.append(try RowKey.leadingID(of: cursor.key))
        isValid = cursor.moveToNext()
      }
    }
    for id in ids { _ = try touch(ObjectKey(entity: entity, id: id)) }
  }

  /// Moves an object that is about to settle to its present keys.
  func moveHolder(_ index: Int) throws {
    let id = changes[index].key.id
    for address in pendingHolders.keys where isKind(index, of: address.entity) {
      let former = try unsafe uniqueKey(of: changes[index].settled, at: address)
      if let former {
        if try unsafe uniqueKey(of: changes[index].current, at: address) == former { continue }
        pendingHolders[address]?[former]?.removeAll { $0 == id }
        if pendingHolders[address]?[former]?.isEmpty == true { pendingHolders[address]?[former] = nil }
      }
      try addHolder(index, at: address)
    }
  }

  private func addHolder(_ index: Int, at address: ConstraintAddress) throws {
    guard let key = try unsafe uniqueKey(of: changes[index].current, at: address) else { return }
    let id = changes[index].key.id
    if pendingHolders[address]?[key]?.contains(id) != true {
      pendingHolders[address]?[key, default: []].append(id)
    }
  }

  /// Returns the key of a record in a constraint, or `nil` if the object does not exist or a value is null.
  private func uniqueKey(of record: UnsafeBytes, at address: ConstraintAddress) throws -> UniqueKey? {
    guard unsafe isLive(record) else { return nil }
    var bytes: [UInt8] = []
    let entity = model.entities[address.entity]
    let isWhole = try unsafe RecordView(record.unsafeSpan).makeUniqueKey(
      entity.constraints[address.constraint], of: entity, into: &bytes)
    return isWhole ? UniqueKey(address.constraint, bytes) : nil
  }

  /// A uniqueness constraint and the entity that declares it, both by their numbers.
  struct ConstraintAddress: Hashable {
    let entity: Int
    let constraint: Int
  }
}
