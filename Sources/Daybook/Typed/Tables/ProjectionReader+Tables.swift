import DaybookModel
import DaybookRuntime

extension ProjectionReader {
  /// Returns the value of a key, or `nil` if there is no such row.
  ///
  /// - Throws: `StoreError`: `badValue` for an invalid table name or key, and if the row does not fit the table's types;
  ///   `damaged`.
  /// - Complexity: O(log *n*)
  public func get<Key, Content>(_ key: Key, in table: ProjectedTable<Key, Content>) throws -> Content? {
    try get(key.keyBytes(), in: table.name).map { try Content(rowBytes: $0, in: table.name) }
  }

  /// Returns rows of a table, in the order of their keys.
  ///
  /// - Throws: The errors of ``get(_:in:)-(Key,_)``.
  /// - Complexity: O(log *n* + *m*) for *m* rows with the rows that the offset leaves out.
  public func rows<Key, Content>(of request: TableRequest<Key, Content>) throws -> TableRows<Key, Content> {
    TableRows(request, try content(of: request), at: position)
  }

  /// Returns the number of rows of a request, within its limit and offset.
  ///
  /// - Throws: The errors of ``get(_:in:)-(Key,_)``.
  /// - Complexity: O(*m*) for *m* rows in the range: the rows are passed over, and not copied.
  public func count<Key, Content>(_ request: TableRequest<Key, Content>) throws -> Int {
    let limit = request.limit.map { max(0, $0) } ?? .max
    let skipped = max(0, request.offset)
    let needed = limit.addingReportingOverflow(skipped)
    let count = try rows.count(request.bytes(), limit: needed.overflow ? .max : needed.partialValue)
    return min(max(0, count - skipped), limit)
  }

  /// Returns the rows of a request as bytes.
  func content<Key, Content>(of request: TableRequest<Key, Content>) throws -> ProjectionRows {
    var content = ProjectionRows(isDescending: request.isDescending)
    let limit = request.limit ?? .max
    guard limit > 0 else { return content }
    try rows.scan(request.bytes(), descending: request.isDescending, skipping: max(0, request.offset)) { row in
      content.rows.append(row)
      return content.rows.count < limit
    }
    return content
  }
}
