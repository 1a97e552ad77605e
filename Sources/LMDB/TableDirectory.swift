/// The tables whose handles are open in this process, guarded by the environment's monitor.
///
/// LMDB allows a handle to be closed only while the process does not use it: `mdb_drop` with deletion frees the table's
/// name at once, although readers that began before may still look it up by that name, and assigns the number to the
/// next table that is opened. So a table that may be in use is dropped in two steps. First it is emptied and *retired*:
/// its handle stays open, readers of older snapshots keep reading their version, and later transactions do not find the
/// table. Later, in a write transaction that finds no live reader in the process, its record is removed and its handle
/// closed. If that transaction then fails, the handle is closed but the empty record remains: the name is an *orphan*
/// until the next attempt.
struct TableDirectory {
  struct Retired {
    let table: Table
    /// The commit that emptied the table.
    let transactionID: Int
  }

  private(set) var published: [String: Table] = [:]
  private(set) var retired: [String: Retired] = [:]
  private(set) var orphans: Set<String> = []
  /// The tables that readers of the last commit have found.
  private var found = FoundTables(transactionID: 0, serials: 0, version: 0)
  private var lastSerial: UInt32 = 0
  private var serials: [UInt32: UInt32] = [:]

  /// Returns whether a table's record, if it exists, counts as absent.
  func hides(_ name: String) -> Bool { retired[name] != nil || orphans.contains(name) }

  /// Returns whether the handle still belongs to the table.
  func isOpen(_ table: Table) -> Bool { serials[table.handle] == table.serial }

  /// Returns whether a transaction can use the table.
  func contains(_ table: Table, at transactionID: Int) -> Bool {
    guard isOpen(table) else { return false }
    guard let retired = retired[table.name] else { return true }
    return transactionID < retired.transactionID
  }

  /// Returns the tables that a reader of a commit need not look up.
  func foundTables(at transactionID: Int) -> FoundTables {
    found.transactionID == transactionID
      ? found : FoundTables(transactionID: transactionID, serials: 0, version: found.version)
  }

  /// Adds the tables that a reader has found, unless a table was retired or closed since the reader began.
  mutating func add(_ tables: FoundTables) {
    guard tables.version == found.version, tables.transactionID >= found.transactionID else { return }
    if tables.transactionID > found.transactionID { found.serials = 0 }
    found.transactionID = tables.transactionID
    found.serials |= tables.serials
  }

  private mutating func forgetFoundTables() {
    found = FoundTables(transactionID: 0, serials: 0, version: found.version + 1)
  }

  /// Creates a table for a new handle; other transactions can use it once it is published.
  mutating func makeTable(name: String, handle: UInt32, of environment: Environment) -> Table {
    lastSerial += 1
    return Table(
      name: name, handle: handle, owner: environment.number, serial: lastSerial,
      hasChecksums: environment.options.hasChecksums(name))
  }

  mutating func publish(_ table: Table) {
    retired[table.name] = nil
    orphans.remove(table.name)
    published[table.name] = table
    serials[table.handle] = table.serial
  }

  mutating func retire(_ table: Table, at transactionID: Int) {
    forgetFoundTables()
    published[table.name] = nil
    retired[table.name] = Retired(table: table, transactionID: transactionID)
  }

  /// Records that a table's handle was closed, and whether an empty record may remain.
  mutating func close(_ table: Table, leavesOrphan: Bool) {
    forgetFoundTables()
    published[table.name] = nil
    retired[table.name] = nil
    serials[table.handle] = nil
    if leavesOrphan { orphans.insert(table.name) }
  }

  /// Records that an emptied table's record was removed, or is in use again.
  mutating func forgetOrphan(_ name: String) { orphans.remove(name) }
}

/// Tables that exist in one commit.
///
/// LMDB looks up a table's record by name in each transaction. A commit does not change, so the readers of the same
/// commit share what they have found.
struct FoundTables {
  /// The number of the commit; 0 for none.
  var transactionID: Int
  /// The tables with serials below 64, as bits.
  var serials: UInt64
  /// Counts the tables that were retired or closed; after that, what was found before no longer counts.
  let version: Int
}
