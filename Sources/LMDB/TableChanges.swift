/// A write transaction's changes to the set of tables, which are published if it commits.
struct TableChanges {
  /// Tables whose handles the transaction opened, and dropped tables that it reopened.
  private(set) var opened: [String: Table] = [:]
  /// Tables that the transaction emptied in order to drop them.
  private(set) var retired: [String: Table] = [:]
  /// Names whose records the transaction removed.
  private(set) var removed: Set<String> = []

  mutating func open(_ table: Table) {
    opened[table.name] = table
    retired[table.name] = nil
    removed.remove(table.name)
  }

  mutating func retire(_ table: Table) {
    opened[table.name] = nil
    retired[table.name] = table
  }

  mutating func remove(_ name: String) {
    opened[name] = nil
    retired[name] = nil
    removed.insert(name)
  }

  /// Returns whether the transaction sees no table of that name, although a record may exist.
  func hides(_ name: String) -> Bool { retired[name] != nil }

  /// Publishes the changes. Must be called after the commit.
  func publish(in directory: inout TableDirectory, at transactionID: Int) {
    for table in retired.values { directory.retire(table, at: transactionID) }
    for name in removed { directory.forgetOrphan(name) }
    for table in opened.values { directory.publish(table) }
  }
}
