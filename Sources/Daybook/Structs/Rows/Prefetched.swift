import DaybookEngine
import DaybookModel

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
  private(set) var targets: [LinkName: [ObjectID]] = [:]
  private(set) var objects: [ObjectID: StoredObject] = [:]

  /// Returns the related objects, or `nil` if one of them was not prefetched.
  func related(to id: ObjectID, _ relationship: String) -> [StoredObject]? {
    guard let targets = targets[LinkName(id, relationship)] else { return nil }
    let found = targets.compactMap { objects[$0] }
    return found.count == targets.count ? found : nil
  }

  /// Returns the objects at the end of several relationships, or `nil` if one is missing.
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
  /// Reads the objects along relationships: each object once, however many links lead to it.
  ///
  /// - Parameters:
  ///   - paths: Names of relationships, each of which is followed from the targets of the previous one.
  ///   - targets: Returns the targets of an object's relationship.
  ///   - object: Returns an object.
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

  /// Returns the targets of a relationship of some objects, in the order of their table.
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
