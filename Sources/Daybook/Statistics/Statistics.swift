import DaybookModel

/// The figures of a store: how much it holds, how large it is, and whether anything lags behind.
public struct Statistics: Hashable, Sendable {
  /// The last commit.
  public let head: Position
  /// The hash of the last commit, which stands for all commits up to it; kept elsewhere, it is evidence.
  public let hash: Digest
  /// See ``StoreReader/stateHash()``.
  public let stateHash: Digest
  /// The number of objects by entity, in the order of the model.
  public let objects: [EntityCount]
  /// The number of events in all commits.
  public let events: Int
  /// The files of the journal.
  public let journal: FileSize
  /// The files of the projections.
  public let projections: FileSize
  /// The snapshots of earlier positions, by rising position.
  public let snapshots: [StoreSnapshot]
  /// The read transactions of all processes that are alive.
  public let readers: Int
  /// How many write transactions ago the oldest of them began; while it lives, the space that these freed is not used
  /// again.
  public let oldestReaderLag: Int
  /// The built-in projections.
  public let projectionFigures: [Projection]
  /// Those of users.
  public let userProjections: [Store.ProjectionStatus]

  /// How many objects an entity has.
  public struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    public let entity: String
    /// How many objects it has.
    public let count: Int
  }

  /// The size of an environment, in bytes.
  public struct FileSize: Hashable, Sendable {
    /// Up to the last page in use; free pages in between count, and are used again.
    public let usedInBytes: Int
    /// The size of the file.
    public let fileInBytes: Int
  }

  /// A built-in projection.
  public struct Projection: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The last commit that it has taken in.
    public let checkpoint: Position
    /// How many commits it is behind the head.
    public let lag: Int
  }
}

extension Statistics {
  package var json: JSONValue {
    [
      "head": .integer(Int64(clamping: head.number)), "hash": .string(hash.description),
      "stateHash": .string(stateHash.description),
      "objects": .object(objects.map { ($0.entity, .integer(Int64($0.count))) }), "events": .integer(Int64(events)),
      "bytes": ["journal": journal.json, "projections": projections.json],
      "snapshots": .array(snapshots.map(\.json)), "readers": .integer(Int64(readers)),
      "oldestReaderLag": .integer(Int64(oldestReaderLag)),
      "projections": .array(projectionFigures.map(\.json) + userProjections.map(\.json)),
    ]
  }
}

extension Statistics.FileSize {
  fileprivate var json: JSONValue { ["used": .integer(Int64(usedInBytes)), "file": .integer(Int64(fileInBytes))] }
}

extension StoreSnapshot {
  fileprivate var json: JSONValue {
    [
      "position": .integer(Int64(clamping: position.number)), "events": .integer(Int64(events)),
      "bytes": .integer(Int64(sizeInBytes)),
    ]
  }
}

extension Statistics.Projection {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "checkpoint": .integer(Int64(clamping: checkpoint.number)), "lag": .integer(Int64(lag)),
    ]
  }
}

extension Store.ProjectionStatus {
  package var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("version", .integer(Int64(version))),
      ("checkpoint", .integer(Int64(clamping: checkpoint.number))), ("lag", .integer(Int64(clamping: lag))),
      ("quarantined", .integer(Int64(quarantineCount))),
    ]
    if let stop { members.append(("stopped", stop.json)) }
    if let rebuild { members.append(("rebuild", .integer(Int64(clamping: rebuild.number)))) }
    return .object(members)
  }
}

extension QuarantinedEvent {
  package var json: JSONValue {
    ["event": .string("\(address)"), "state": .string(state.rawValue), "reason": .string(reason)]
  }
}
