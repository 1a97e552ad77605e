import DaybookModel
import DaybookRuntime

/// A table of a projection with typed keys and values.
///
///     struct Activity: Projection {
///       static let byDay = ProjectedTable<Int, Count>("by-day")
///       struct Count: CodableValue, Equatable { var commits = 0, events = 0 }
///
///       let name = "activity", version = 1
///
///       func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {
///         let day = Int(commit.time.microseconds / 86_400_000_000)
///         try context.update(day, in: Activity.byDay) { count in
///           count = count ?? Count()
///           count?.commits += 1
///         }
///       }
///       ...
///     }
///
///     let days = try store.rows(of: TableRequest(Activity.byDay), in: "activity")
///     for try await step in store.changes(of: TableRequest(Activity.byDay), in: "activity") { ... }
///
/// Rows are in the order of their keys; see ``TableKey``. A value is of any type that an attribute can have:
/// a number, a string, a date, data, or a `Codable` struct that is a ``CodableValue``. A type with bytes of its own has the
/// attribute type `data`. Values are equal if their bytes are.
///
/// The types belong to the code of the projection: when they change, the projection's version is raised.
public struct ProjectedTable<Key: TableKey, Content: AttributeValue>: Sendable {
  /// The name: up to 32 ASCII letters, digits, hyphens and underscores.
  ///
  /// An untyped table of this name is the same table.
  public let name: String

  /// Declares a table.
  ///
  /// An invalid name is refused with `badValue` when the table is used.
  public init(_ name: String) { self.name = name }

  /// Reads a row from its bytes.
  func row(_ key: [UInt8], _ value: [UInt8]) throws -> TableRow<Key, Content> {
    TableRow(key: try Key(keyBytes: key), value: try Content(rowBytes: value, in: name))
  }
}
