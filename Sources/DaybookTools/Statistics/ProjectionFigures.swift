import Daybook
import DaybookModel

/// A projection with the numbers and the size of its rows, as `daybook projection` shows it.
package struct ProjectionFigures: Sendable {
  package let status: ProjectionStatus
  /// The numbers of rows by derived entity.
  package let counts: [(entity: String, count: Int)]
  /// The size of the tables, of which the kept changes are a part.
  package let sizeInBytes: Int

  /// The number of rows.
  package var rowCount: Int { counts.reduce(0) { $0 + $1.count } }

  package var json: JSONValue {
    var members = status.json.members ?? []
    members += [
      ("mode", status.mode.map { .string($0.rawValue) } ?? .null),
      ("entities", .object(counts.map { ($0.entity, .integer(Int64($0.count))) })),
      ("rows", .integer(Int64(rowCount))), ("bytes", .integer(Int64(sizeInBytes))),
      ("digest", .string("\(status.digest)")),
    ]
    return .object(members)
  }
}
