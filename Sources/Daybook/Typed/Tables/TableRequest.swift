import DaybookModel
import DaybookRuntime

/// A request for rows of a projection's table, in the order of their keys.
///
///     var lastWeek = TableRequest(Activity.byDay, keys: .from(today - 6, through: today))
///     lastWeek.isDescending = true
///     let days = try store.rows(of: lastWeek, in: "activity")
public struct TableRequest<Key: TableKey, Content: AttributeValue>: Sendable {
  /// The table, which may have no rows yet.
  public var table: ProjectedTable<Key, Content>
  /// The range of the keys.
  public var keys: KeyRange<Key>
  /// Whether the rows are in descending order.
  public var isDescending: Bool
  /// The number of rows that are left out at the beginning; a negative number counts as 0.
  public var offset: Int
  /// The most rows of the result; `nil` for all, and a negative number counts as 0.
  public var limit: Int?

  /// Makes a request.
  public init(
    _ table: ProjectedTable<Key, Content>, keys: KeyRange<Key> = .all, descending isDescending: Bool = false,
    offset: Int = 0, limit: Int? = nil
  ) {
    self.table = table
    self.keys = keys
    self.isDescending = isDescending
    self.offset = offset
    self.limit = limit
  }

  /// The range of bytes that is read.
  func bytes() throws -> ProjectionRange { try keys.bytes(in: table.name) }

  /// The size of the prefix that the keys of the table have in the one LMDB table of the projection.
  var prefixSize: Int { table.name.utf8.count + 1 }

  /// Reads a row from its whole key and its value.
  func row(_ row: ProjectionRows.Row) throws -> TableRow<Key, Content> {
    try table.row(Array(row.key.dropFirst(prefixSize)), row.value)
  }
}
