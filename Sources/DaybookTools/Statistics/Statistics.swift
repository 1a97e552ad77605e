import Daybook
import DaybookModel

/// The figures of a store: its content, its size, and the lag of projections and readers.
package struct Statistics: Hashable, Sendable {
  /// The position of the last commit.
  package let head: Position
  /// The hash of the last commit, which covers all commits up to it.
  ///
  /// If it is kept elsewhere, it proves that no commit was changed.
  package let hash: Digest
  /// The hash of all objects; see ``StoreReader/stateHash()``.
  package let stateHash: Digest
  /// The number of objects by entity, in the order of the model.
  package let objects: [EntityCount]
  /// The number of events in all commits.
  package let events: Int
  /// The values that are stored by their digests, at the time of the call.
  package let largeValues: LargeValues
  /// The size of the journal's file.
  package let journal: FileSize
  /// The size of the projections' file.
  package let projections: FileSize
  /// The snapshots of earlier positions, by rising position.
  package let snapshots: [StoreSnapshot]
  /// The number of read transactions of all live processes.
  package let readers: Int
  /// The number of write transactions since the oldest read transaction began.
  ///
  /// While that transaction runs, the space that they freed is not reused.
  package let oldestReaderLag: Int
  /// The oldest read transaction, or `nil` without one.
  package let oldestReader: OldestReader?
  /// The built-in projections.
  package let projectionFigures: [Projection]
  /// The user-defined projections.
  package let userProjections: [ProjectionStatus]

  /// A read transaction of any process.
  package struct OldestReader: Hashable, Sendable {
    /// The process that reads.
    package let processID: Int
    /// The time since a check first saw the transaction, in seconds. It may be older.
    package let ageInSeconds: Double
    /// The head at that time: the transaction sees this position or an earlier one.
    package let position: Position
  }

  /// The number of objects of an entity.
  package struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    package let entity: String
    /// The number of its objects.
    package let count: Int
  }

  /// The large values of all commits; a value that several objects or events have is one.
  package struct LargeValues: Hashable, Sendable {
    package let count: Int
    /// The bytes of all values together.
    package let sizeInBytes: Int
  }

  /// The size of an environment, in bytes.
  package struct FileSize: Hashable, Sendable {
    /// The size up to the last page in use, including free pages before it, which are reused.
    package let usedInBytes: Int
    /// The size of the file.
    package let fileInBytes: Int
  }

  /// A built-in projection.
  package struct Projection: Hashable, Sendable {
    /// The name of the projection.
    package let name: String
    /// The position of the last commit that it has applied.
    package let checkpoint: Position
    /// The number of commits after its checkpoint.
    package let lag: Int
  }
}

extension Statistics {
  package var json: JSONValue {
    [
      "head": .integer(Int64(clamping: head.number)), "hash": .string(hash.description),
      "stateHash": .string(stateHash.description),
      "objects": .object(objects.map { ($0.entity, .integer(Int64($0.count))) }), "events": .integer(Int64(events)),
      "largeValues": largeValues.json,
      "bytes": ["journal": journal.json, "projections": projections.json],
      "snapshots": .array(snapshots.map(\.json)), "readers": .integer(Int64(readers)),
      "oldestReaderLag": .integer(Int64(oldestReaderLag)), "oldestReader": oldestReader?.json ?? .null,
      "projections": .array(projectionFigures.map(\.json) + userProjections.map(\.json)),
    ]
  }
}

extension Statistics.OldestReader {
  fileprivate var json: JSONValue {
    [
      "process": .integer(Int64(processID)), "seconds": .number(ageInSeconds),
      "position": .integer(Int64(clamping: position.number)),
    ]
  }
}

extension Statistics.LargeValues {
  fileprivate var json: JSONValue {
    ["count": .integer(Int64(count)), "bytes": .integer(Int64(sizeInBytes))]
  }
}

extension Statistics.FileSize {
  fileprivate var json: JSONValue { ["used": .integer(Int64(usedInBytes)), "file": .integer(Int64(fileInBytes))] }
}

private extension StoreSnapshot {
  var json: JSONValue {
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
