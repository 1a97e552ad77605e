import Daybook
import DaybookModel

/// A projection with the numbers and the size of its rows, as `daybook projection` shows it.
package struct ProjectionFigures: Sendable {
  package let status: ProjectionStatus
  /// The numbers of rows by derived entity; empty for a projection of plain rows.
  package let counts: [(entity: String, count: Int)]
  /// The number of rows.
  package let rowCount: Int
  /// The size of the tables; of derived entities, the kept changes are a part of it.
  package let sizeInBytes: Int

  package var json: JSONValue {
    var members = status.json.members ?? []
    members += [
      ("mode", status.mode.map { .string($0.rawValue) } ?? .null),
      ("entities", .object(counts.map { ($0.entity, .integer(Int64($0.count))) })),
      ("rows", .integer(Int64(rowCount))), ("bytes", .integer(Int64(sizeInBytes))),
    ]
    return .object(members)
  }
}

extension Store {
  /// Returns the projections of users with the numbers and sizes of their rows, by name.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(log *n*) for each derived entity.
  package func projectionFigures() throws -> [ProjectionFigures] {
    try read { reader in try projections(as: reader).map { try figures(of: $0, reader) } }
  }

  private func figures(of status: ProjectionStatus, _ reader: borrowing StoreReader) throws -> ProjectionFigures {
    let size = try keeper.projections(of: reader).size(of: status.name)
    var counts: [(entity: String, count: Int)] = []
    for entity in status.entities {
      let count =
        try status.checkpoint > .empty ? reader.reading([entity]) { try $0.count(FetchRequest(entity: entity)) } : 0
      counts.append((entity, count))
    }
    return ProjectionFigures(
      status: status, counts: counts,
      rowCount: counts.isEmpty ? size.entryCount : counts.reduce(0) { $0 + $1.count }, sizeInBytes: size.sizeInBytes)
  }
}
