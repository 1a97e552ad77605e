/// What a write transaction does to the set of tables, to be published if it commits.
struct TableChanges {
  /// Tables whose handles were opened by the transaction, and dropped ones that it took up again.
  private(set) var opened: [String: Table] = [:]
  /// Tables that it emptied in order to drop them.
  private(set) var retired: [String: Table] = [:]
  /// Names whose records it removed.
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

  /// Whether the transaction sees no table of that name, although there may be a record.
  func hides(_ name: String) -> Bool { retired[name] != nil }

  /// To be called after the commit.
  func publish(in directory: inout TableDirectory, at transactionID: Int) {
    for table in retired.values { directory.retire(table, at: transactionID) }
    for name in removed { directory.forgetOrphan(name) }
    for table in opened.values { directory.publish(table) }
  }
}
