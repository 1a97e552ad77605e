import Daybook
import DaybookEngine
import DaybookModel

/// Finds the objects of operations whose commit was made before, one operation after the other.
///
/// The commit's `inserted` events have the objects of inserts, in order. The object of an upsert is the one with
/// the key in the state after the commit; if that is the next inserted one, the upsert inserted it.
struct OperationRecall {
  /// The objects that the commit inserted.
  private let inserted: [ObjectID]
  private var taken = 0
  /// The number of operations that inserted an object, or may have.
  private(set) var insertCount = 0
  /// Whether the object of an upsert is gone: whether it had inserted it is not known.
  private var isUncertain = false

  init(inserted: [ObjectID]) {
    self.inserted = inserted
  }

  var insertedCount: Int { inserted.count }

  /// Whether the operations have inserted what the commit has.
  var isWhole: Bool { isUncertain || insertCount == inserted.count }

  /// Gives the object of an operation its name.
  ///
  /// - Parameter past: The state after the commit.
  mutating func take(
    _ operation: Operation, _ names: inout OperationNames, _ performer: OperationPerformer,
    in past: borrowing StoreReader
  ) throws {
    switch operation {
    case .insert(let insertion):
      let id = next()
      if let name = insertion.name { names.give(name, insertion.id ?? (isUncertain ? nil : id)) }
    case .upsert(let upsertion):
      let id = try object(of: upsertion, names, performer, in: past)
      if let name = upsertion.name { names.give(name, id) }
    case .rename, .set, .relate, .unrelate, .delete, .record: break
    }
  }

  private mutating func next() -> ObjectID? {
    insertCount += 1
    defer { taken += 1 }
    return taken < inserted.count ? inserted[taken] : nil
  }

  private mutating func object(
    of upsertion: Operation.Upsertion, _ names: OperationNames, _ performer: OperationPerformer,
    in past: borrowing StoreReader
  ) throws -> ObjectID? {
    let entity = past.reader.model.entities[try past.reader.model.requireEntity(upsertion.entity)]
    let links = try upsertion.links.map { link in
      (link.name, try link.targets.map { try past.id(of: $0, names) })
    }
    guard let key = try UniqueKey(upsertion.key, of: entity, performer.values(upsertion.values, of: entity), links)
    else { return next() }
    guard let id = try past.reader.holder(of: key) else {
      isUncertain = true
      return nil
    }
    if taken < inserted.count, inserted[taken] == id { return next() }
    return id
  }
}

private extension StoreReader {
  func id(of reference: ObjectReference, _ names: OperationNames) throws -> ObjectID {
    switch reference {
    case .id(let id): id
    case .name(let name): try names.id(of: name)
    case .part(let part): try resolve(part)
    }
  }
}
