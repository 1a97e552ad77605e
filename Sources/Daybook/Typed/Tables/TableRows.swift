import DaybookModel
import DaybookRuntime

/// The rows of a request for a projection's table, in one state of the projection.
public struct TableRows<Key: TableKey, Content: AttributeValue>: Sendable {
  /// The last commit that the projection had applied.
  public private(set) var position: Position
  /// The rows, in the order of the request.
  public var rows: [TableRow<Key, Content>] {
    get throws { try content.rows.map { try request.row($0) } }
  }
  /// The number of rows.
  public var count: Int { content.rows.count }

  let request: TableRequest<Key, Content>
  private(set) var content: ProjectionRows

  init(_ request: TableRequest<Key, Content>, _ content: ProjectionRows, at position: Position) {
    (self.request, self.content, self.position) = (request, content, position)
  }

  /// Moves to a later state of the projection.
  mutating func move(by changes: [ProjectionRows.Change], to position: Position) {
    content.apply(changes)
    self.position = position
  }

  /// Returns what leads from these rows to rows of the same request in another state.
  ///
  /// - Throws: `StoreError` with the code `badValue` if a row does not fit the types of the table.
  /// - Complexity: O(*n*) for *n* rows of both.
  public func difference(to other: TableRows) throws -> TableDifference<Key, Content> {
    try TableDifference(content.changes(to: other.content), request)
  }
}
