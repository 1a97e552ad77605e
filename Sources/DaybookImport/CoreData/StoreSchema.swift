#if Import

/// The tables of a store with their columns, as SQLite lists them.
package struct StoreSchema: Hashable, Sendable {
  /// The columns of each table, in order.
  package var tables: [String: [Column]]

  package struct Column: Hashable, Sendable {
    package let name: String
    package let sqlType: String

    package init(name: String, sqlType: String) {
      self.name = name
      self.sqlType = sqlType
    }
  }

  package init(tables: [String: [Column]]) {
    self.tables = tables
    names = tables.mapValues { Set($0.map(\.name)) }
  }

  private let names: [String: Set<String>]

  package func hasColumn(_ column: String, in table: String) -> Bool { names[table]?.contains(column) == true }

  /// Whether a table can hold the objects of an entity: `Z` and a name, not `Z_`, which begins Core Data's own tables.
  package static func isEntityTable(_ name: String) -> Bool {
    name.hasPrefix("Z") && name.count > 1 && !name.hasPrefix("Z_")
  }
}

#endif
