import DaybookModel
import LMDB

/// Replaces the rows of uniqueness constraints when a commit is finished.
extension Fold {
  /// A rule of the model that the state after a commit breaks.
  ///
  /// A write that would break a rule is refused. A commit that is already in the journal is folded nevertheless.
  package enum Violation: Sendable {
    /// Two objects share the values of a constraint.
    case collision(entity: Int, constraint: Int, object: ObjectID, other: ObjectID, values: [Value])
    /// A sum is not a number that its type can hold.
    case overflow(entity: Int, attribute: Int, object: ObjectID)
    /// A relationship that is acyclic by the model leads from an object back to it.
    case cycle(Cycle)
  }

  /// Settles, then removes all old rows of the constraints and adds all new ones.
  ///
  /// - Returns: The rules that the commit breaks, in an order that depends only on the commit.
  package func finish() throws -> [Violation] {
    try settle()
    return try finishUnique() + standingOverflows() + cycles()
  }

  private func finishUnique() throws -> [Violation] {
    guard parts.contains(.unique) else { return [] }
    var incoming: [(change: Int, constraint: Int, key: UnsafeBytes)] = unsafe []
    for index in changes.indices
    where changes[index].isChanged && flatModel.entities[changes[index].key.entity].hasConstraints {
      for constraint in model.entities[changes[index].key.entity].constraints.indices {
        let old = try unsafe uniqueKey(constraint, of: index, in: changes[index].start)
        let new = try unsafe uniqueKey(constraint, of: index, in: changes[index].current)
        if unsafe equalBytes(old.unsafeSpan, new.unsafeSpan) { continue }
        if unsafe !old.isNone { unsafe layer.unique.delete(old.unsafeSpan) }
        if unsafe !new.isNone { unsafe incoming.append((index, constraint, new)) }
      }
    }
    var collisions: [Violation] = []
    for unsafe(change, constraint, range) in unsafe incoming {
      let key = changes[change].key
      if let holder = try unsafe reader.unsafeValue(for: range.unsafeSpan, in: .unique) {
        let other = try RowKey.objectID(of: holder)
        if other != key.id {
          collisions.append(
            try unsafe collision(of: key, RecordView(changes[change].current.unsafeSpan), constraint, with: other))
        }
      } else {
        try unsafe reader.proveAbsence(of: range.unsafeSpan, in: .unique)
      }
      var value: [UInt8] = []
      value.append(key.id)
      unsafe layer.unique.put(range.unsafeSpan, value.rawSpan)
    }
    return collisions
  }

  /// Returns the violation of an object that has the values of another one.
  func collision(
    of object: ObjectKey, _ record: RecordView, _ constraint: Int, with other: ObjectID
  ) throws -> Violation {
    let entity = model.entities[object.entity]
    let values = try entity.constraints[constraint].fields.map { field -> Value in
      switch field {
      case .attribute(let number): return try record.value(of: entity.attributes[number])
      case .target(let number):
        guard let link = try FieldReader.field(entity.relationships[number].tag, in: record.fields) else {
          return .null
        }
        return .uuid(try link.target())
      default: return .null
      }
    }
    return .collision(entity: object.entity, constraint: constraint, object: object.id, other: other, values: values)
  }

  /// Adds the row of an object in the tables to a constraint that is being built.
  ///
  /// - Returns: Another object that holds the same values, or `nil`.
  func putUnique(of object: ObjectKey, record: RecordView, constraint: Int) throws -> ObjectID? {
    let entity = model.entities[object.entity]
    var rowKey = takeKeyBuffer()
    defer { giveBack(keyBuffer: rowKey) }
    guard try record.makeUniqueKey(entity.constraints[constraint], of: entity, into: &rowKey) else { return nil }
    if let holder = try unsafe reader.unsafeValue(for: rowKey, in: .unique) {
      let other = try RowKey.objectID(of: holder)
      if other != object.id { return other }
    }
    var value: [UInt8] = []
    value.append(object.id)
    layer.unique.put(rowKey, value.rawSpan)
    return nil
  }

  /// Returns the key of a record in a constraint, stored in the arena.
  ///
  /// The key is `none` if the object is not live or a value is null.
  private func uniqueKey(_ number: Int, of index: Int, in record: UnsafeBytes) throws -> UnsafeBytes {
    guard unsafe isLive(record) else { return unsafe .none }
    let entity = model.entities[changes[index].key.entity]
    var rowKey = takeKeyBuffer()
    defer { giveBack(keyBuffer: rowKey) }
    guard try unsafe RecordView(record.unsafeSpan).makeUniqueKey(entity.constraints[number], of: entity, into: &rowKey)
    else {
      return unsafe .none
    }
    return unsafe arena.store(rowKey)
  }
}
