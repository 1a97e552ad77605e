#if Import

/// A column that a layout expects, or that a store has.
package struct StoreColumn: Hashable, Sendable {
  package let table: String
  package let name: String
  package let sqlType: String

  package init(table: String, name: String, sqlType: String) {
    self.table = table
    self.name = name
    self.sqlType = sqlType
  }
}

extension StoreColumn: CustomStringConvertible {
  package var description: String { "\(table).\(name) \(sqlType)" }
}

extension StoreColumn: Comparable {
  package static func < (a: StoreColumn, b: StoreColumn) -> Bool {
    (a.table, a.name, a.sqlType) < (b.table, b.name, b.sqlType)
  }
}

#endif
