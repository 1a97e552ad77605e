import LMDB

/// The tables of the built-in projections in their present generations.
package struct BuiltInTables: Sendable {
  package let objects: Table
  package let links: Table
  package let views: Table
  package let unique: Table

  /// Creates the value from tables in the order of ``TableName``.
  package init(_ tables: [Table]) {
    precondition(tables.count == TableName.allCases.count, "Each name has one table.")
    objects = tables[TableName.objects.rawValue]
    links = tables[TableName.links.rawValue]
    views = tables[TableName.views.rawValue]
    unique = tables[TableName.unique.rawValue]
  }

  package subscript(table: TableName) -> Table {
    switch table {
    case .objects: objects
    case .links: links
    case .views: views
    case .unique: unique
    }
  }
}
