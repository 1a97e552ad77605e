import DaybookModel
import LMDB

/// The projections as a store has them open: one file, its table of states, and what is known about its model and tables.
///
/// A store exchanges them for others when the file turns out to be damaged, or another process has replaced it. A
/// transaction keeps those alive that it began in; their file is closed with the last of them.
final class OpenProjections: Sendable {
  let environment: Environment
  let stateTable: Table
  private let catalog = Locked<Catalog?>(nil)

  init(_ environment: Environment, stateTable: Table) {
    self.environment = environment
    self.stateTable = stateTable
  }

  func catalog(matching state: ProjectionState) -> Catalog? {
    catalog.withLock { $0 }.flatMap { $0.matches(state) ? $0 : nil }
  }

  func remember(_ catalog: Catalog) {
    self.catalog.withLock { $0 = catalog }
  }

  /// What the projections say of themselves, as a transaction on them sees it; nil if they hold nothing yet.
  ///
  /// - Throws: `LMDBError` of a kind that ``LMDBError/isDamage`` covers if the row is not what was written.
  func state(in snapshot: Snapshot) throws -> ProjectionState? {
    guard let row = try snapshot.value(for: ProjectionState.key, in: stateTable) else { return nil }
    return ProjectionState(row)
  }

  /// Opens the tables that a state names, outside of a transaction.
  ///
  /// - Returns: Nil if one is missing: it was replaced meanwhile.
  func openTables(of state: ProjectionState) throws -> ProjectionTables? {
    let tables = try environment.openTables(state.tableNames).compactMap { $0 }
    guard tables.count == TableName.allCases.count else { return nil }
    return ProjectionTables(objects: tables[0], links: tables[1], views: tables[2], unique: tables[3])
  }
}

/// Projections as one read transaction sees them.
struct ProjectionsSnapshot {
  let opened: OpenProjections
  let snapshot: Snapshot

  /// What they say of themselves; nil if they hold nothing yet.
  var state: ProjectionState? {
    get throws { try opened.state(in: snapshot) }
  }
}
