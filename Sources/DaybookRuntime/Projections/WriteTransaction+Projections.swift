import LMDB

extension WriteTransaction {
  /// Drops all tables with rows of an instance of a projection.
  mutating func dropTables(of name: String, _ instance: ProjectionRecord.Instance) throws {
    for name in ProjectionRecord.tableNames(of: name, instance) {
      if let table = try openTable(name, create: false) { try drop(table) }
    }
  }
}
