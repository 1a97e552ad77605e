/// The tables whose handles are open in this process, guarded by the environment's monitor.
///
/// LMDB lets a handle be closed only while nobody in the process uses it: `mdb_drop` with deletion frees the table's
/// name at once, although readers that began before may still look it up by that name, and gives the number to the next
/// table that is opened. So a table that others may be using is dropped in two steps. First it is emptied and
/// *retired*: its handle stays open, readers of older snapshots go on reading their version, and nobody else finds the
/// table any more. Later, in a write transaction that finds no reader alive in the process, its record is removed and
/// its handle closed. If that transaction then fails, the handle is gone but the empty record is not: the name is an
/// *orphan* until the next try.
struct TableDirectory {
  struct Retired {
    let table: Table
    /// The commit that emptied it.
    let transactionID: Int
  }

  private(set) var published: [String: Table] = [:]
  private(set) var retired: [String: Retired] = [:]
  private(set) var orphans: Set<String> = []
  private var lastSerial: UInt32 = 0
  private var serials: [UInt32: UInt32] = [:]

  /// Whether a table's record, if there is one, counts as absent.
  func hides(_ name: String) -> Bool { retired[name] != nil || orphans.contains(name) }

  /// Whether the handle still belongs to the table.
  func isOpen(_ table: Table) -> Bool { serials[table.handle] == table.serial }

  /// Whether the table can be used by a transaction.
  func contains(_ table: Table, at transactionID: Int) -> Bool {
    guard isOpen(table) else { return false }
    guard let retired = retired[table.name] else { return true }
    return transactionID < retired.transactionID
  }

  /// Makes a table for a handle that was just opened; others can use it once it is published.
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
    published[table.name] = nil
    retired[table.name] = Retired(table: table, transactionID: transactionID)
  }

  /// Notes that a table's handle was closed, and whether an empty record may be left.
  mutating func close(_ table: Table, leavesOrphan: Bool) {
    published[table.name] = nil
    retired[table.name] = nil
    serials[table.handle] = nil
    if leavesOrphan { orphans.insert(table.name) }
  }

  /// Notes that an emptied table's record is gone for good, or in use again.
  mutating func forgetOrphan(_ name: String) { orphans.remove(name) }
}
