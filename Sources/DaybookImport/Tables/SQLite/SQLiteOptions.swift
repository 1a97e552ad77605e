#if Import

import DaybookModel

/// The choices of an import of SQLite.
package struct SQLiteOptions: Sendable {
  /// Whether the table that a foreign key leads to has a to-many relationship back, named by the plural of the other table.
  package var inverses = false
  /// Types of columns, by `table.column`, which win over detection.
  package var types: [String: AttributeType] = [:]

  package init() {}
}

#endif
