import LMDB

extension WriteTransaction {
  /// Makes tables, or opens those that exist.
  mutating func makeTables(_ names: [String]) throws -> [Table] {
    var tables: [Table] = []
    for name in names {
      guard let table = try openTable(name, create: true) else {
        preconditionFailure("A table that is created can be opened.")
      }
      tables.append(table)
    }
    return tables
  }

  /// Drops all tables with rows of an instance of a projection.
  mutating func dropTables(of name: String, _ instance: ProjectionRecord.Instance) throws {
    for name in ProjectionRecord.tableNames(of: name, instance) {
      if let table = try openTable(name, create: false) { try drop(table) }
    }
  }
}
