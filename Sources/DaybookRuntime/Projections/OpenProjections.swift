import DaybookEngine
import DaybookModel
import LMDB

/// A store's open projections: one file, its state table, and its cached catalog.
///
/// A store replaces them when the file turns out to be damaged, or when another process has replaced it. A transaction
/// keeps the projections alive in which it began; the last transaction to end closes their file.
package final class OpenProjections: Sendable {
  package let environment: Environment
  let stateTable: Table
  private let catalog = Locked<Catalog?>(nil)
  /// What reads the derived entities of projections, by their names, and the tables of them that are open.
  let derivedCatalogs = Locked<(catalogs: [[String]: DerivedCatalog], tables: [String: Table])>(([:], [:]))
  private let descriptions = DerivedDescriptions()
  /// What the last commit changed, if its writer or a live request has read it.
  let lastDelta = Locked<CommitDelta?>(nil)

  init(_ environment: Environment, stateTable: Table) {
    self.environment = environment
    self.stateTable = stateTable
  }

  func catalog(matching state: BuiltInTablesState) -> Catalog? {
    catalog.withLock { $0 }.flatMap { $0.matches(state) ? $0 : nil }
  }

  func remember(_ catalog: Catalog) {
    self.catalog.withLock { $0 = catalog }
  }

  /// Returns the state of the projections as a transaction sees it, or `nil` if they are empty.
  ///
  /// - Throws: `LMDBError` of a kind that ``LMDBError/isDamage`` covers if the row differs from what was written.
  func state(in snapshot: TransactionSnapshot) throws -> BuiltInTablesState? {
    try BuiltInTablesState(in: snapshot, stateTable)
  }

  /// Returns the state that a write is based on, with its catalog.
  ///
  /// - Parameters:
  ///   - head: The last commit of the journal.
  ///   - projections: The transaction of the write.
  /// - Returns: `nil` if the tables are missing, of another journal, or without the model's groups: they are to be rebuilt.
  func base(
    of journal: LMDBJournal, head: Position, headHash: Digest, in projections: inout WriteTransaction
  ) throws -> (catalog: Catalog, state: BuiltInTablesState)? {
    guard let state = try state(in: projections.snapshot), state.checkpoint.position > .empty,
      try state.checkpoint.belongs(to: journal, head: head, headHash: headHash),
      let catalog = try catalog(matching: state)
        ?? CatalogLoader(state, model: journal.model).load(in: &projections),
      !state.lacksGroups(of: catalog.model)
    else { return nil }
    return (catalog, state)
  }
}

extension OpenProjections {
  /// Returns the delta of the commit that a transaction of the journal made, if it is kept.
  func commitDelta(madeIn transaction: Int) -> CommitDelta? {
    lastDelta.withLock { $0 }.flatMap { $0.transaction == transaction ? $0 : nil }
  }

  /// Keeps the delta of a commit that is in the journal, unless a later one is kept.
  func keep(_ delta: CommitDelta) {
    lastDelta.withLock { last in
      if let former = last?.transaction, let transaction = delta.transaction, former >= transaction { return }
      last = delta
    }
  }
}

/// The projections as one read transaction sees them.
package struct ProjectionsSnapshot {
  package let opened: OpenProjections
  package let snapshot: TransactionSnapshot

  /// The state of the projections, or `nil` if they are empty.
  var state: BuiltInTablesState? {
    get throws { try opened.state(in: snapshot) }
  }
}

extension OpenProjections {
  /// Returns the record of a user projection, which is empty if the store has no rows of it.
  func record(of name: String, in snapshot: TransactionSnapshot) throws -> ProjectionRecord {
    try ProjectionRecord(of: name, in: snapshot, stateTable, descriptions) ?? ProjectionRecord()
  }

  /// Returns the names of the user projections that have a record.
  package func recordNames(in snapshot: TransactionSnapshot) throws -> [String] {
    try ProjectionRecord.names(in: snapshot, stateTable)
  }
}

extension ProjectionsSnapshot {
  /// Returns the record of a user projection, which is empty if the store has no rows of it.
  package func record(of name: String) throws -> ProjectionRecord { try opened.record(of: name, in: snapshot) }
}
