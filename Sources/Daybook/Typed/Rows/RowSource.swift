import DaybookModel
import Synchronization

/// Where the rows of one result look for related objects: among those that were prefetched, else in the store as it was
/// at the result's position.
///
/// It keeps the store open until the last row that came from it is let go.
final class RowSource: Sendable {
  private let past: Mutex<PastStore?>
  private let prefetched: Prefetched

  /// - Parameter past: The store at the position of the rows; nil for rows of a write that is under way.
  init(_ past: PastStore?, prefetched: Prefetched = Prefetched()) {
    self.past = Mutex(past)
    self.prefetched = prefetched
  }

  /// Reads at another position from now on, for rows that are the same there. Nothing may be prefetched.
  func move(to past: PastStore) {
    self.past.withLock { $0 = past }
  }

  /// The targets of a relationship, in their order if they have one, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    if let targets = prefetched.targets[LinkName(id, relationship)] { return targets }
    return try store().read { try $0.targets(of: id, relationship) }
  }

  /// The objects that a relationship leads to.
  func related(to id: ObjectID, _ relationship: String) throws -> [StoredObject] {
    try prefetched.related(to: id, relationship) ?? store().read { try $0.related(to: id, relationship) }
  }

  /// The objects at the end of several relationships, each of which is followed from all that the one before led to.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    if let found = prefetched.related(to: id, names) { return found }
    return try store().read { reader in
      var objects: [StoredObject] = []
      var ids = [id]
      for name in names {
        objects = try ids.flatMap { try reader.related(to: $0, name) }
        ids = objects.map(\.id)
      }
      return objects
    }
  }

  private func store() throws -> PastStore {
    if let past = past.withLock({ $0 }) { return past }
    throw StoreError(
      .badRequest, "A value that was read inside a write cannot read related objects by itself.",
      advice: "Ask the transaction for the targets, or prefetch them.")
  }
}

/// A relationship of one object.
struct LinkName: Hashable, Sendable {
  let id: ObjectID
  let relationship: String

  init(_ id: ObjectID, _ relationship: String) {
    self.id = id
    self.relationship = relationship
  }
}

/// Related objects that were read together with the rows of a result.
struct Prefetched: Sendable {
  fileprivate(set) var targets: [LinkName: [ObjectID]] = [:]
  fileprivate(set) var objects: [ObjectID: StoredObject] = [:]

  /// The related objects, if all of them are here.
  func related(to id: ObjectID, _ relationship: String) -> [StoredObject]? {
    guard let targets = targets[LinkName(id, relationship)] else { return nil }
    let found = targets.compactMap { objects[$0] }
    return found.count == targets.count ? found : nil
  }

  /// The objects at the end of several relationships, if all of them are here.
  func related(to id: ObjectID, _ names: [String]) -> [StoredObject]? {
    var ids = [id]
    var objects: [StoredObject] = []
    for name in names {
      objects = []
      for id in ids {
        guard let found = related(to: id, name) else { return nil }
        objects += found
      }
      ids = objects.map(\.id)
    }
    return objects
  }
}

extension Prefetched {
  /// Reads what relationships lead to from some objects: each object once, however many lead to it.
  ///
  /// - Parameters:
  ///   - paths: Names of relationships, each followed from what the one before led to.
  ///   - targets: Reads what a relationship of an object leads to.
  ///   - object: Reads an object.
  init(
    from ids: [ObjectID], along paths: [[String]], targets: (ObjectID, String) throws -> [ObjectID],
    object: (ObjectID) throws -> StoredObject?
  ) throws {
    for path in paths {
      var level = ids
      for name in path {
        level = try follow(name, from: level, targets)
        for id in level where objects[id] == nil { objects[id] = try object(id) }
      }
    }
  }

  /// What a relationship leads to from some objects, by rising id: the order of the table that objects are read from.
  private mutating func follow(
    _ name: String, from ids: [ObjectID], _ read: (ObjectID, String) throws -> [ObjectID]
  ) throws -> [ObjectID] {
    var level: Set<ObjectID> = []
    for id in ids {
      let link = LinkName(id, name)
      let found = try targets[link] ?? read(id, name)
      targets[link] = found
      level.formUnion(found)
    }
    return level.sorted()
  }

  init(from ids: [ObjectID], along paths: [[String]], in reader: Reader) throws {
    try self.init(
      from: ids, along: paths,
      targets: { id, name in
        guard let key = try reader.find(id) else { return [] }
        return try reader.targets(of: reader.model.requireRelationship(name, of: key.entity), from: id)
      },
      object: { id in try reader.find(id).flatMap { try reader.object($0) } })
  }
}

extension StoreReader {
  /// The objects that a relationship leads to, in its order.
  func related(to id: ObjectID, _ relationship: String) throws -> [StoredObject] {
    try targets(of: id, relationship).compactMap { try get($0) }
  }
}
