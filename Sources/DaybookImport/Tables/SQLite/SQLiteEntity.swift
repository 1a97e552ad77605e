#if Import

import DaybookModel

/// A table that becomes an entity, with what its rows are read from.
struct SQLiteEntity: Sendable {
  let name: String
  let table: SQLiteTable
  let key: SQLiteKey
  /// The columns of the attributes, in the order of the attributes.
  let columns: [SQLiteColumnReader]
  let rowCount: Int

  /// The query of all rows, sorted by their keys.
  var sql: String {
    let names = key.columns(of: "t") + columns.map { "t.\($0.column.quotedName)" }
    return "SELECT \(names.joined(separator: ", ")) FROM \(table.name.quotedName) t ORDER BY "
      + key.order(of: "t").joined(separator: ", ")
  }
}

#endif
