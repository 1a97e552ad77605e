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
