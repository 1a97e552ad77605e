import DaybookModel
import DaybookRuntime

extension ProjectionContext {
  /// Returns the value of a key, or `nil` if there is no such row.
  ///
  /// - Throws: `StoreError`: `badValue` for an invalid table name or key, and if the row does not fit the table's types;
  ///   `damaged`.
  /// - Complexity: O(log *n*)
  public func get<Key, Content>(_ key: Key, in table: ProjectedTable<Key, Content>) throws -> Content? {
    try get(key.keyBytes(), in: table.name).map { try Content(rowBytes: $0, in: table.name) }
  }

  /// Stores a row, replacing the present value of the key.
  ///
  /// - Throws: `StoreError` with the code `badValue` for an invalid table name, key or value.
  /// - Complexity: O(log *n*)
  public func put<Key, Content>(_ key: Key, _ value: Content, in table: ProjectedTable<Key, Content>) throws {
    try put(key.keyBytes(), value.rowBytes(), in: table.name)
  }

  /// Deletes a row; does nothing if there is no such row.
  ///
  /// - Throws: `StoreError` with the code `badValue` for an invalid table name or key.
  public func delete<Key, Content>(_ key: Key, in table: ProjectedTable<Key, Content>) throws {
    try delete(key.keyBytes(), in: table.name)
  }

  /// Changes the value of a key.
  ///
  ///     try context.update(day, in: Activity.byDay) { $0 = ($0 ?? 0) + 1 }
  ///
  /// - Parameters:
  ///   - key: The key of the row.
  ///   - table: The table.
  ///   - change: Changes the value: `nil` if there is no row, and set to `nil` it deletes the row.
  /// - Throws: What `change` throws; the errors of ``get(_:in:)-(Key,_)`` and ``put(_:_:in:)-(Key,_,_)``.
  /// - Complexity: O(log *n*)
  public func update<Key, Content>(
    _ key: Key, in table: ProjectedTable<Key, Content>, _ change: (inout Content?) throws -> Void
  ) throws {
    let bytes = try key.keyBytes()
    var value = try get(bytes, in: table.name).map { try Content(rowBytes: $0, in: table.name) }
    try change(&value)
    if let value { try put(bytes, value.rowBytes(), in: table.name) } else { try delete(bytes, in: table.name) }
  }

  /// Calls `body` with the rows of a range in ascending order; rows may be changed meanwhile.
  ///
  /// - Parameters:
  ///   - keys: The range of the keys.
  ///   - table: The table, which need not exist.
  ///   - body: Receives each row, and returns whether to continue.
  /// - Throws: What `body` throws; the errors of ``get(_:in:)-(Key,_)``.
  public func scan<Key, Content>(
    _ keys: KeyRange<Key> = .all, in table: ProjectedTable<Key, Content>,
    _ body: (TableRow<Key, Content>) throws -> Bool
  ) throws {
    let request = TableRequest(table, keys: keys)
    try run.rows.scan(request.bytes()) { try body(request.row($0)) }
  }
}
